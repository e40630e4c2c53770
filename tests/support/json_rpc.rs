//! HTTP/1.1 and JSON-RPC, as little of both as a local node needs.

use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

/// Calls a method of the node at a local address (`127.0.0.1:8545`).
///
/// # Errors
/// The node's error, as text.
pub fn call(address: &str, method: &str, params: &Value) -> Result<Value, String> {
    let mut answer = exchange(address, &request(method, params)).expect("the node answers");
    match answer.get("error") {
        Some(error) => Err(error.to_string()),
        None => Ok(answer["result"].take()),
    }
}

pub(crate) fn request(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

/// Sends a request to a local address and reads the answer.
///
/// # Errors
/// If there is no connection, or it breaks.
pub fn exchange(address: &str, request: &Value) -> io::Result<Value> {
    let body = request.to_string();
    let mut stream = TcpStream::connect(address)?;
    let request = format!(
        "POST / HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\nconnection: close\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes())?;
    let answer = read_message(&mut BufReader::new(stream))?;
    Ok(serde_json::from_slice(&answer)?)
}

/// The body of the next HTTP message.
pub(crate) fn read_message(stream: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(io::Error::other)?;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok(body)
}
