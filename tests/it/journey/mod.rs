//! End-to-end stories through the service's calls.

mod one_payment;
