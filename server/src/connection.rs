//! One connection: its time limits, and how it ends.
//!
//! hyper limits the time of a request's head and pings silent HTTP/2 peers. This module limits the rest: the first bytes, idle
//! connections, unread answers, and requests that are reset.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

use crate::activity::Activity;
pub use crate::connection_limits::ConnectionLimits;
pub(crate) use crate::connection_limits::Version;

/// The first bytes of an HTTP/2 connection (RFC 9113, section 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A peer that reads more slowly for as long as the limit is cut off, in bytes per second.
const SLOWEST: u64 = 1 << 10;

/// A connection with limits for writing and closing.
pub(crate) struct Stream {
    inner: TcpStream,
    /// The bytes read to detect the version.
    begun: Bytes,
    activity: Arc<Activity>,
    limits: ConnectionLimits,
    blocked: Option<Blocked>,
    /// Time spent blocked, less the time worth of the bytes written since.
    debt: Duration,
    closing: Option<Closing>,
}

/// The peer currently reads nothing.
struct Blocked {
    since: Instant,
    over: Pin<Box<Sleep>>,
}

/// Everything is written; further input is discarded.
struct Closing {
    over: Pin<Box<Sleep>>,
    bytes: usize,
}

impl Stream {
    /// Reads as many bytes as the detection of the HTTP version needs.
    pub(crate) async fn begin(
        mut inner: TcpStream,
        activity: Arc<Activity>,
        limits: ConnectionLimits,
    ) -> io::Result<(Self, Version)> {
        let begun = tokio::time::timeout(limits.first_bytes, first_bytes(&mut inner))
            .await
            .map_err(|_| timed_out("no first bytes"))??;
        let version = if begun == PREFACE {
            Version::Http2
        } else {
            Version::Http1
        };
        activity.set_version(version);
        let stream = Self {
            inner,
            begun: begun.into(),
            activity,
            limits,
            blocked: None,
            debt: Duration::ZERO,
            closing: None,
        };
        Ok((stream, version))
    }

    /// The result of a write, or an error if the peer reads too slowly.
    fn written(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(bytes)) => {
                if let Some(blocked) = self.blocked.take() {
                    self.debt += blocked.since.elapsed();
                }
                let worth = Duration::from_millis(bytes as u64 * 1000 / SLOWEST);
                self.debt = self.debt.saturating_sub(worth);
                Poll::Ready(Ok(bytes))
            }
            Poll::Pending => {
                let left = self.limits.write.saturating_sub(self.debt);
                let blocked = self.blocked.get_or_insert_with(|| {
                    let since = Instant::now();
                    Blocked {
                        since,
                        over: Box::pin(sleep_until(since + left)),
                    }
                });
                ready!(blocked.over.as_mut().poll(cx));
                Poll::Ready(Err(timed_out("the peer does not read")))
            }
            failed => failed,
        }
    }
}

fn timed_out(message: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, message)
}

async fn first_bytes(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut begun = vec![0; PREFACE.len()];
    let mut length = 0;
    while length < PREFACE.len() && begun[..length] == PREFACE[..length] {
        match stream.read(&mut begun[length..]).await? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => length += read,
        }
    }
    begun.truncate(length);
    Ok(begun)
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.begun.is_empty() {
            let length = self.begun.len().min(buffer.remaining());
            buffer.put_slice(&self.begun.split_to(length));
            self.activity.read(length);
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(cx, buffer);
        let bytes = buffer.filled().len() - before;
        if bytes > 0 {
            self.activity.read(bytes);
        }
        read
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(cx, bytes);
        self.written(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(cx, bytes);
        self.written(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    /// Closes the write side, then reads what the peer still sends: closing a socket with unread bytes resets the connection, and
    /// the peer never sees why it was refused (RFC 9112, section 9.6).
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.closing.is_none() {
            ready!(Pin::new(&mut this.inner).poll_shutdown(cx))?;
            this.closing = Some(Closing {
                over: Box::pin(sleep_until(Instant::now() + this.limits.linger)),
                bytes: this.limits.linger_bytes,
            });
        }
        let Some(closing) = &mut this.closing else {
            return Poll::Ready(Ok(()));
        };
        let mut thrown_away = [std::mem::MaybeUninit::uninit(); 16 << 10];
        while closing.over.as_mut().poll(cx).is_pending() {
            let mut buffer = ReadBuf::uninit(&mut thrown_away);
            match ready!(Pin::new(&mut this.inner).poll_read(cx, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() && closing.bytes > buffer.filled().len() => {
                    closing.bytes -= buffer.filled().len();
                }
                _ => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}
