//! The demo, for whoever looks at Settlekit for the first time: made once, and how to sign in told each time.

use axum::http::{Request, StatusCode};
use settlekit_core::call::Call;
use settlekit_core::operation::NoPath;
use settlekit_core::session::{CreateSession, CreateSessionBody};
use settlekit_service::Database;
use settlekit_service::demo::{self, EMAIL, PASSWORD};
use settlekit_service::store::nested::Nested;
use settlekit_service::store::sql::StoreError;

use crate::engine::Kept;
use crate::{Host, edge};

/// Makes the demo if it is not there, entirely or not at all; returns what its visitor must know, in lines.
pub(crate) async fn fill(host: &Host) -> Result<Vec<String>, StoreError> {
    let (service, now, seed) = (host.service.clone(), edge::now(), edge::seed()?);
    let fill = move |database: &mut dyn Database| {
        let mut database = Nested::new(database);
        let signed_in = service.answer(&mut database, &sign_in()?, now, seed);
        if signed_in.status() == StatusCode::CREATED {
            return Ok(Kept::Undo(None));
        }
        let made = demo::fill(&service, &mut database, now, seed, &mut |_, _| {})?;
        Ok(Kept::Keep(Some(made)))
    };
    let made = host.engine.write(fill).await?;
    let mut lines = vec![format!("Sign in with {EMAIL} and the password: {PASSWORD}")];
    if let Some(made) = made {
        for (who, made) in [("merchant", made.merchant), ("partner", made.partner)] {
            lines.push(format!("The demo's {who} is {}, shown this once:", made.id));
            lines.push(format!("  API key: {}", made.api_key));
            lines.push(format!("  Signing secret: {}", made.signing_secret));
        }
    }
    Ok(lines)
}

fn sign_in() -> Result<Request<Vec<u8>>, StoreError> {
    let body = CreateSessionBody {
        email: EMAIL.to_owned(),
        password: PASSWORD.to_owned(),
    };
    let call = Call::<CreateSession> {
        path: NoPath,
        query: Default::default(),
        body,
    };
    call.to_http("")
        .map_err(|_| StoreError::Broken("the demo's sign-in is malformed".to_owned()))
}
