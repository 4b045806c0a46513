//! Connections: how many, how long, and how they end.
//!
//! A connection that sends its request's head too slowly, that reads too little of what it is sent,
//! or that has lived longer than the longest search and a little, is closed. So clients that do
//! nothing cannot keep others out for long.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutWriter;

use super::guard::Client;

/// The largest head of a request.
const MOST_HEAD: usize = 16 << 10;
/// How long responses may take to end when the server stops.
const FAREWELL: Duration = Duration::from_secs(3);
/// How long to wait when the system has no more sockets.
const OUT_OF_SOCKETS: Duration = Duration::from_millis(100);

/// How many connections there may be, and how long each may live and be silent.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConnectionLimits {
    pub(super) most: usize,
    pub(super) lifetime: Duration,
    /// The longest time from the end of one request to the end of the next one's head, and the
    /// longest in which a client takes so little that nothing more can be sent to it.
    pub(super) silence: Duration,
}

/// Serves connections until `stopped` is done, then lets those that are answering finish.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    stopped: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(limits.most));
    tokio::pin!(stopped);
    loop {
        let accepted = async {
            let place = room.clone().acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            () = &mut stopped => break,
            accepted = accepted => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                let connection = graceful.watch(connection(stream, peer, &router, limits.silence));
                tokio::spawn(async move {
                    let _place = place;
                    // How a connection ended concerns nobody: its client has the answer or is gone.
                    let _ = timeout(limits.lifetime, connection).await;
                });
            }
            Err(error) if is_of_one_connection(&error) => {}
            Err(_) => sleep(OUT_OF_SOCKETS).await,
        }
    }
    drop(listener);
    let _ = timeout(FAREWELL, graceful.shutdown()).await;
}

/// The client went away before it was accepted.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: &Router,
    silence: Duration,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> + use<> {
    // Without it answers could wait for acknowledgements; a system that refuses is merely slower.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutWriter::new(stream);
    stream.set_timeout(Some(silence));
    let router = router.clone();
    let service = hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(Client(peer.ip()));
        answer(router.clone(), request)
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(silence)
        .max_buf_size(MOST_HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), service)
}

async fn answer(
    router: Router,
    request: hyper::Request<Incoming>,
) -> Result<axum::response::Response, Infallible> {
    use hyper_util::service::TowerToHyperService;
    hyper::service::Service::call(&TowerToHyperService::new(router), request).await
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::mpsc;

    use axum::body::Bytes;
    use axum::routing::get;

    use super::*;

    /// Tells when it is dropped.
    struct Answer(Vec<u8>, mpsc::Sender<()>);

    impl AsRef<[u8]> for Answer {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }

    impl Drop for Answer {
        fn drop(&mut self) {
            let _ = self.1.send(());
        }
    }

    #[test]
    fn who_does_not_read_is_left() {
        let (sender, dropped) = mpsc::channel();
        let large = || async move { Bytes::from_owner(Answer(vec![0; 64 << 20], sender)) };
        let router = Router::new().route("/", get(large));
        let limits = ConnectionLimits {
            most: 1,
            lifetime: Duration::from_secs(3600),
            silence: Duration::from_millis(200),
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let mut client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        client.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        runtime.spawn(serve(listener, router, limits, std::future::pending()));
        // Neither the client nor the connection's life ends.
        dropped.recv_timeout(Duration::from_secs(120)).unwrap();
        drop(client);
    }
}
