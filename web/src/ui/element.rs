//! Elements for list cells. A page has hundreds of them, so updates touch only differences.
//!
//! The `view!` macro places a comment node beside every text and sets all attributes again when a row is refilled. These elements
//! have no comment nodes, and a refill changes only different texts and attributes.
//!
//! Needed for the same bar as `crate::list::rows`: half of the nodes of a list were such comments.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::tachys::html::attribute::any_attribute::AnyAttribute;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::view::any_view::AnyViewState;
use leptos::tachys::view::{Mountable, Position, PositionState};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{MouseEvent, Node};

/// Text, static or formatted.
pub(crate) type Words = Cow<'static, str>;

type Press = Arc<dyn Fn(MouseEvent) + Send + Sync>;

/// An element with its attributes and children.
pub(crate) struct Element {
    tag: &'static str,
    attributes: Vec<(&'static str, Words)>,
    inside: Vec<Child>,
    press: Option<Press>,
}

enum Child {
    Words(Words),
    Element(Element),
    View(AnyView),
}

/// An element with a class; `svg` and `path` are created in the SVG namespace.
pub(crate) fn element(tag: &'static str, class: &'static str) -> Element {
    let element = Element {
        tag,
        attributes: Vec::new(),
        inside: Vec::new(),
        press: None,
    };
    element.optional_attr("class", (!class.is_empty()).then_some(class))
}

impl Element {
    pub(crate) fn attr(mut self, name: &'static str, value: impl Into<Words>) -> Self {
        self.attributes.push((name, value.into()));
        self
    }

    pub(crate) fn optional_attr(self, name: &'static str, value: Option<impl Into<Words>>) -> Self {
        match value {
            Some(value) => self.attr(name, value),
            None => self,
        }
    }

    pub(crate) fn words(mut self, words: impl Into<Words>) -> Self {
        self.inside.push(Child::Words(words.into()));
        self
    }

    pub(crate) fn child(mut self, element: Element) -> Self {
        self.inside.push(Child::Element(element));
        self
    }

    pub(crate) fn children(mut self, elements: impl IntoIterator<Item = Element>) -> Self {
        self.inside.extend(elements.into_iter().map(Child::Element));
        self
    }

    pub(crate) fn view(mut self, view: AnyView) -> Self {
        self.inside.push(Child::View(view));
        self
    }

    pub(crate) fn on_click(mut self, press: impl Fn(MouseEvent) + Send + Sync + 'static) -> Self {
        self.press = Some(Arc::new(press));
        self
    }
}

/// An element on the page.
pub(crate) struct MountedElement {
    node: web_sys::Element,
    tag: &'static str,
    attributes: Vec<(&'static str, Words)>,
    inside: Vec<MountedChild>,
    press: Option<Listener>,
}

enum MountedChild {
    Words(web_sys::Text, Words),
    Element(MountedElement),
    View(AnyViewState),
}

/// A listener and its current action.
struct Listener {
    press: Rc<RefCell<Press>>,
    /// Active until dropped.
    _listener: Closure<dyn Fn(MouseEvent)>,
}

impl Listener {
    fn on(node: &web_sys::Element, press: Press) -> Self {
        let press = Rc::new(RefCell::new(press));
        let now = Rc::clone(&press);
        let listener = Closure::<dyn Fn(MouseEvent)>::new(move |event| {
            let press = now.borrow().clone();
            press(event);
        });
        // Fails only for an invalid listener.
        let _ = node.add_event_listener_with_callback("click", listener.as_ref().unchecked_ref());
        Self {
            press,
            _listener: listener,
        }
    }
}

fn create(tag: &'static str) -> web_sys::Element {
    let made = match tag {
        "svg" | "path" => document().create_element_ns(Some("http://www.w3.org/2000/svg"), tag),
        _ => document().create_element(tag),
    };
    made.expect("the names of elements are written in this program")
}

/// Appends a child; fails only for an invalid child node.
fn append(parent: &web_sys::Element, child: &Node) {
    let _ = parent.append_child(child);
}

impl Child {
    fn build(self, parent: &web_sys::Element) -> MountedChild {
        match self {
            Self::Words(words) => {
                let node = document().create_text_node(&words);
                append(parent, &node);
                MountedChild::Words(node, words)
            }
            Self::Element(element) => {
                let made = element.build();
                append(parent, &made.node);
                MountedChild::Element(made)
            }
            Self::View(view) => {
                let mut made = view.build();
                made.mount(parent, None);
                MountedChild::View(made)
            }
        }
    }
}

impl MountedChild {
    fn is_like(&self, other: &Child) -> bool {
        matches!(
            (self, other),
            (Self::Words(..), Child::Words(_))
                | (Self::Element(_), Child::Element(_))
                | (Self::View(_), Child::View(_))
        )
    }

    fn rebuild(&mut self, newer: Child) {
        match (self, newer) {
            (Self::Words(node, words), Child::Words(newer)) if *words != newer => {
                node.set_data(&newer);
                *words = newer;
            }
            (Self::Element(made), Child::Element(newer)) => newer.rebuild(made),
            (Self::View(made), Child::View(newer)) => newer.rebuild(made),
            // Only equal texts remain.
            _ => {}
        }
    }

    fn unmount(&mut self) {
        match self {
            Self::Words(node, _) => node.unchecked_ref::<web_sys::Element>().remove(),
            Self::Element(made) => made.node.remove(),
            Self::View(made) => made.unmount(),
        }
    }
}

impl Render for Element {
    type State = MountedElement;

    fn build(self) -> MountedElement {
        let node = create(self.tag);
        for (name, value) in &self.attributes {
            // Fails only for an invalid name.
            let _ = node.set_attribute(name, value);
        }
        let inside = self.inside.into_iter();
        MountedElement {
            inside: inside.map(|inside| inside.build(&node)).collect(),
            press: self.press.map(|press| Listener::on(&node, press)),
            node,
            tag: self.tag,
            attributes: self.attributes,
        }
    }

    fn rebuild(self, made: &mut MountedElement) {
        let listens = made.press.is_some() == self.press.is_some();
        if self.tag != made.tag || !listens {
            let newer = self.build();
            if let Some(parent) = made.node.parent_node() {
                // Fails only for an invalid child node.
                let _ = parent.replace_child(&newer.node, &made.node);
            }
            *made = newer;
            return;
        }
        for (name, value) in &self.attributes {
            if !made
                .attributes
                .iter()
                .any(|known| known.0 == *name && known.1 == *value)
            {
                let _ = made.node.set_attribute(name, value);
            }
        }
        for (name, _) in &made.attributes {
            if !self.attributes.iter().any(|newer| newer.0 == *name) {
                let _ = made.node.remove_attribute(name);
            }
        }
        made.attributes = self.attributes;
        let alike = made.inside.len() == self.inside.len()
            && made
                .inside
                .iter()
                .zip(&self.inside)
                .all(|(one, other)| one.is_like(other));
        if alike {
            for (one, newer) in made.inside.iter_mut().zip(self.inside) {
                one.rebuild(newer);
            }
        } else {
            made.inside.iter_mut().for_each(MountedChild::unmount);
            let inside = self.inside.into_iter();
            made.inside = inside.map(|inside| inside.build(&made.node)).collect();
        }
        if let (Some(listener), Some(press)) = (&made.press, self.press) {
            *listener.press.borrow_mut() = press;
        }
    }
}

impl Mountable for MountedElement {
    fn unmount(&mut self) {
        self.node.remove();
    }

    fn mount(&mut self, parent: &web_sys::Element, marker: Option<&Node>) {
        // Fails only for an invalid child node.
        let _ = parent.insert_before(&self.node, marker);
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        match self.node.parent_element() {
            Some(parent) => {
                child.mount(&parent, Some(&self.node));
                true
            }
            None => false,
        }
    }

    fn elements(&self) -> Vec<web_sys::Element> {
        vec![self.node.clone()]
    }
}

leptos::tachys::no_attrs!(Element);

/// There is no server-side rendering: only building is needed.
impl RenderHtml for Element {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn to_html_with_buf(
        self,
        _: &mut String,
        _: &mut Position,
        _: bool,
        _: bool,
        _: Vec<AnyAttribute>,
    ) {
    }

    fn hydrate<const FROM_SERVER: bool>(self, _: &Cursor, _: &PositionState) -> MountedElement {
        self.build()
    }

    fn into_owned(self) -> Self {
        self
    }
}
