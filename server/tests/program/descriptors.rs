//! Running out of file descriptors: a server must recover once some are free.

use std::io::Read;
use std::net::TcpStream;

use serde_json::Value;

use crate::place::{Place, SERVE, Server, ask, call, request, wait_for};

/// Starts a server with a limit of open files.
fn start(place: &Place, open_files: u32, more: &[&str]) -> Server {
    let words = [SERVE.as_slice(), more].concat();
    Server::of(&mut place.command_after(&format!("ulimit -n {open_files}"), &words))
}

fn answers(server: &Server, key: &str) -> bool {
    let asked = request(key, "GET", "/orgs", &Value::Null);
    ask(&server.address, &asked).is_some_and(|(status, _)| status == 200)
}

#[test]
fn silent_connections_at_the_descriptor_limit_are_closed() {
    let place = Place::sqlite();
    let made = place.organisation();
    let server = start(&place, 256, &[]);
    call(&server.address, &made.key, "GET", "/orgs", Value::Null);
    let silent: Vec<TcpStream> = (0..400)
        .filter_map(|_| TcpStream::connect(&server.address).ok())
        .collect();
    // The connections are still open until the server closes them.
    wait_for("an answer", || answers(&server, &made.key));
    drop(silent);
}

#[test]
fn a_server_without_descriptors_recovers() {
    let place = Place::sqlite();
    let made = place.organisation();
    let more = [
        "--max-connections",
        "1000",
        "--max-connections-per-address",
        "0",
    ];
    let server = start(&place, 64, &more);
    let mut silent: Vec<TcpStream> = (0..100)
        .filter_map(|_| TcpStream::connect(&server.address).ok())
        .collect();
    assert!(silent.len() > 64);
    drop(silent.split_off(10));
    wait_for("an answer", || answers(&server, &made.key));
    // The first ones were accepted, and are closed because they are silent.
    let mut nothing = [0; 1];
    assert!(!matches!(silent[0].read(&mut nothing), Ok(1..)));
}
