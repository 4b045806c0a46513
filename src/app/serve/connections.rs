//! Connections: how many, how long, and how they end.
//!
//! A connection that sends its request's head too slowly, or that has lived longer than the longest
//! search and a little, is closed, so that clients that do nothing cannot keep others out for long.

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

use super::guard::Client;

/// The longest time from the end of one request to the end of the next one's head.
const LONGEST_SILENCE: Duration = Duration::from_secs(20);
/// The largest head of a request.
const MOST_HEAD: usize = 16 << 10;
/// How long responses may take to end when the server stops.
const FAREWELL: Duration = Duration::from_secs(3);
/// How long to wait when the system has no more sockets.
const OUT_OF_SOCKETS: Duration = Duration::from_millis(100);

/// How many connections there may be, and how long each may live.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConnectionLimits {
    pub(super) most: usize,
    pub(super) lifetime: Duration,
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
                let connection = graceful.watch(connection(stream, peer, &router));
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
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> + use<> {
    // Without it answers could wait for acknowledgements; a system that refuses is merely slower.
    let _ = stream.set_nodelay(true);
    let router = router.clone();
    let service = hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(Client(peer.ip()));
        answer(router.clone(), request)
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(LONGEST_SILENCE)
        .max_buf_size(MOST_HEAD)
        .serve_connection(TokioIo::new(stream), service)
}

async fn answer(
    router: Router,
    request: hyper::Request<Incoming>,
) -> Result<axum::response::Response, Infallible> {
    use hyper_util::service::TowerToHyperService;
    hyper::service::Service::call(&TowerToHyperService::new(router), request).await
}
