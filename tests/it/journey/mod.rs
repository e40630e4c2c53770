//! Whole stories, told through the service's calls alone.

mod one_payment;
