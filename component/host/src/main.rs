//! Encodes a core module as a component: `settlekit-component-encoder MODULE COMPONENT`.
//!
//! The module holds its interface in a section of its own, written by wit-bindgen.

use std::error::Error;

use wit_component::ComponentEncoder;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(module), Some(component)) = (arguments.next(), arguments.next()) else {
        return Err("give the paths of the module and of the component".into());
    };
    let module = std::fs::read(module)?;
    let encoder = ComponentEncoder::default().validate(true);
    std::fs::write(component, encoder.module(&module)?.encode()?)?;
    Ok(())
}
