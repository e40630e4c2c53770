//! A listening server, for tests and benchmarks.

use std::sync::Arc;

use settlekit_server::{Server, listen};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

pub(crate) struct Listening {
    /// The base URL, `http://127.0.0.1:4711`.
    pub(crate) base: String,
    stop: Arc<Notify>,
    serving: JoinHandle<()>,
}

impl Listening {
    pub(crate) async fn start(server: Server) -> Self {
        let listener = listen("127.0.0.1:0".parse().expect("an address"))
            .await
            .expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("its address"));
        let stop = Arc::new(Notify::new());
        let stopped = Arc::clone(&stop);
        let serving = tokio::spawn(server.serve(listener, async move { stopped.notified().await }));
        Self {
            base,
            stop,
            serving,
        }
    }

    /// Stops the server and waits for its pending requests.
    pub(crate) async fn end(self) {
        self.stop.notify_one();
        self.serving.await.expect("it ends well");
    }
}
