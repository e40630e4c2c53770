//! A webhook endpoint, for tests and benchmarks.

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::routing::post;
use tokio::sync::mpsc;

/// A received webhook.
pub(crate) struct Got {
    pub(crate) path: &'static str,
    pub(crate) headers: HeaderMap,
}

type Sender = mpsc::UnboundedSender<Got>;

/// An endpoint that accepts, fails, redirects, or streams endlessly.
pub(crate) async fn receiver() -> (String, mpsc::UnboundedReceiver<Got>) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let got = |path| {
        move |State(sender): State<Sender>, headers: HeaderMap| async move {
            // The test may have finished.
            drop(sender.send(Got { path, headers }));
            match path {
                "/refuse" => (StatusCode::IM_A_TEAPOT, "short and stout").into_response(),
                "/elsewhere" => (StatusCode::FOUND, [("location", "/take")]).into_response(),
                "/endless" => "la".repeat(1 << 20).into_response(),
                _ => StatusCode::NO_CONTENT.into_response(),
            }
        }
    };
    let mut router = Router::new();
    for path in ["/take", "/refuse", "/elsewhere", "/endless"] {
        router = router.route(path, post(got(path)));
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let address = listener.local_addr().expect("its address");
    tokio::spawn(async move { axum::serve(listener, router.with_state(sender)).await });
    (format!("http://{address}"), receiver)
}
