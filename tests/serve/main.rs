//! The server from outside: what it answers, what it refuses, and that it stays up.

mod answers;
mod bad_input;
mod client;
mod clients;
mod documented;
mod main_line;
mod margins;
mod openings;
mod origins;
mod playing;
mod positions;
mod program;
mod searches;
mod tables;
mod variants;
