//! Sessions.

mod create_session;
mod create_step_up;
mod delete_session;
mod get_session;
mod switch_organisation;
mod update_password;
