//! Certificates that tests write, and what they list.

use std::io::Cursor;

use amazons::game::board::Board;
use amazons::game::code::Code;
use amazons::game::rules::{self, Position};
use amazons::machine::progress::StopFlag;
use amazons::proof::{Claim, Reader, Writer};
use amazons::search::{Settings, Solver, write_certificate};

/// The start of a board.
pub fn start(board: &str) -> Position {
    rules::start(board.parse::<Board>().unwrap()).unwrap()
}

/// A search whose table is small.
pub fn settings() -> Settings {
    Settings { table_bytes: 1 << 22, ..Settings::default() }
}

/// A certificate of a position, with leaves of `leaf` empty squares, and what it claims.
pub fn written(settings: Settings, position: Position, leaf: u8, walls: bool) -> (Vec<u8>, Claim) {
    let mut solver = Solver::new(position.board(), settings, StopFlag::new()).unwrap();
    let outcome = solver.solve(&position).unwrap().unwrap();
    let claim = Claim { position, outcome, leaf, walls };
    let mut bytes = Vec::new();
    write_certificate(&mut solver, &claim, &mut bytes, &()).unwrap();
    (bytes, claim)
}

/// The positions that a certificate lists with the numbers of their moves, by frame, and the burned
/// squares of each frame.
pub fn listed(bytes: &[u8]) -> Vec<(usize, Vec<(Code, u32)>)> {
    let mut reader = Reader::new(Cursor::new(bytes)).unwrap();
    let frames = std::iter::from_fn(|| reader.frame().unwrap());
    frames.map(|frame| (frame.arrows, frame.positions)).collect()
}

/// A certificate that lists these positions and no others.
pub fn write(claim: &Claim, tiers: &[(usize, Vec<(Code, u32)>)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, claim).unwrap();
    for (arrows, positions) in tiers {
        writer.tier(*arrows, positions).unwrap();
    }
    writer.finish().unwrap();
    bytes
}
