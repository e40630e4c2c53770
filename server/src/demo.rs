//! The demo organisation, for whoever looks at Settlekit for the first time.

use axum::http::{Request, StatusCode};
use settlekit_core::call::Call;
use settlekit_core::session::{CreateSession, CreateSessionBody};
use settlekit_service::Database;
use settlekit_service::admin::{NewOrganisation, NewPerson};
use settlekit_service::store::sql::StoreError;

use crate::{Host, edge};

/// Signs in to the demo. Sandbox mode only, so that it opens nothing that is worth anything.
const EMAIL: &str = "demo@settlekit.test";
const PASSWORD: &str = "settlekit demo";

/// Makes the demo organisation if it is not there; returns what its visitor must know, in lines.
pub(crate) async fn fill(host: &Host) -> Result<Vec<String>, StoreError> {
    let (service, seed) = (host.service.clone(), edge::seed()?);
    let made = host.engine.alone(move |database: &mut dyn Database| {
        let now = edge::now();
        if service.answer(database, &sign_in()?, now, seed).status() == StatusCode::CREATED {
            return Ok(None);
        }
        let new = NewOrganisation {
            name: "Demo Store".to_owned(),
            partner: None,
            otc: true,
        };
        let made = service.create_organisation(database, &new, now, edge::seed()?)?;
        let person = NewPerson {
            email: EMAIL.to_owned(),
            name: "Demo".to_owned(),
            password: PASSWORD.to_owned(),
        };
        service.create_person(database, made.id, &person, now, edge::seed()?)?;
        Ok(Some(made))
    });
    let mut lines = vec![format!("Sign in with {EMAIL} and the password: {PASSWORD}")];
    if let Some(made) = made.await? {
        lines.push(format!("API key, shown this once: {}", made.api_key));
        lines.push(format!("Signing secret: {}", made.signing_secret));
    }
    Ok(lines)
}

fn sign_in() -> Result<Request<Vec<u8>>, StoreError> {
    let body = CreateSessionBody {
        email: EMAIL.to_owned(),
        password: PASSWORD.to_owned(),
    };
    let call = Call::<CreateSession> {
        path: Default::default(),
        query: Default::default(),
        body,
    };
    call.to_http("")
        .map_err(|_| StoreError::Broken("the demo's sign-in is malformed".to_owned()))
}
