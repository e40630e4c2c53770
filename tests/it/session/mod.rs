//! Sessions.

mod create_step_up;
mod update_password;
