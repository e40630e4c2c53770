//! The program from outside: what it prints, how it fails, what is left after it was killed, alone and beside others.

mod alone;
mod books;
mod descriptors;
mod keys;
mod load;
mod members;
mod mode;
mod place;
mod secrets;
mod several;
