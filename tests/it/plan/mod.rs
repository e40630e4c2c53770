//! Plans.

mod create_plan;
mod get_plan;
mod list_plans;
