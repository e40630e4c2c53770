//! Look and texts of an organisation's checkout pages.

use crate::decode::body_record;
use crate::error::Reason;
use crate::validate::Report;
use crate::value::color::{CONTRAST_MIN, Color};
use crate::value::open::open_enum;
use crate::value::record::record;

/// Behind buttons and links of a dark page: `--surface` in `web/pay/pay.css`. Button text on dark pages is darker than this.
pub const DARK_BACKGROUND: Color = Color::new(0x16, 0x18, 0x1f);

/// Maximum length of a text.
pub const PAGE_TEXT_CHARS_MAX: usize = 200;

open_enum! {
    /// Colour scheme of a checkout page; `System` is that of the payer's device.
    Appearance { System, Light, Dark }
}

open_enum! {
    /// Language of a checkout page (BCP 47).
    PageLanguage { En = "en", De = "de" }
}

body_record! {
    /// Look and texts of an organisation's checkout pages.
    #[derive(Default)]
    CheckoutStyle {
        /// Colour of buttons and links, `#rrggbb`, with a contrast of at least 4.5:1 with white. Dark pages use the nearest tint with
        /// that contrast on their background.
        accent_color?: String,
        /// Colour scheme; without it, that of the payer's device. A page that embeds the checkout decides for itself.
        appearance?: Appearance,
        /// Language for payers whose browser asks for none of the page's; without it, English.
        language?: PageLanguage,
        /// Plain text above the ways to pay, at most 200 characters.
        note?: LocalizedText,
        /// Plain text below all steps, on receipts too: how payers reach the merchant. At most 200 characters.
        support?: LocalizedText,
    }
}

body_record! {
    /// A text of a checkout page by language. A page without a text in its language shows the other.
    #[derive(Default)]
    LocalizedText {
        /// English.
        en?: String,
        /// German.
        de?: String,
    }
}

record! {
    /// Look and texts of a checkout page, as it shows them.
    ResolvedCheckoutStyle {
        /// Colour of buttons and links on a light page, `#rrggbb`.
        accent_color?: String,
        /// The same on a dark page.
        accent_color_dark?: String,
        /// Colour scheme.
        appearance?: Appearance,
        /// Language for payers whose browser asks for none of the page's.
        language?: PageLanguage,
        /// Text above the ways to pay.
        note?: LocalizedText,
        /// Text below all steps.
        support?: LocalizedText,
    }
}

impl CheckoutStyle {
    /// Reports what a page cannot show.
    pub(super) fn validate(&self, report: &mut Report) {
        if let Some(text) = &self.accent_color {
            validate_accent(text, report);
        }
        for (name, text) in [("note", &self.note), ("support", &self.support)] {
            let Some(text) = text else { continue };
            for (language, text) in [("en", &text.en), ("de", &text.de)] {
                if let Some(text) = text {
                    validate_text(&format!("checkout_style.{name}.{language}"), text, report);
                }
            }
        }
    }

    /// Whether nothing is chosen.
    pub fn is_default(&self) -> bool {
        let Self {
            accent_color,
            appearance,
            language,
            note,
            support,
        } = self;
        let mut texts = [note, support].into_iter().flatten();
        accent_color.is_none()
            && appearance.is_none()
            && language.is_none()
            && texts.all(|text| *text == LocalizedText::default())
    }

    /// The style as a page shows it, with an accent for each colour scheme.
    pub fn resolve(self) -> ResolvedCheckoutStyle {
        let accent = self.accent_color.as_deref();
        let accent = accent.and_then(|text| text.parse::<Color>().ok());
        ResolvedCheckoutStyle {
            accent_color: accent.map(|color| color.to_string()),
            accent_color_dark: accent.map(|color| color.readable_on(DARK_BACKGROUND).to_string()),
            appearance: self.appearance,
            language: self.language,
            note: self.note,
            support: self.support,
        }
    }
}

fn validate_accent(text: &str, report: &mut Report) {
    const FIELD: &str = "checkout_style.accent_color";
    let Ok(color) = text.parse::<Color>() else {
        return report.add_error(
            FIELD,
            Reason::ColorMalformed,
            "must be a colour such as #2b47c4",
        );
    };
    let contrast = color.contrast(Color::WHITE);
    if contrast < CONTRAST_MIN {
        let readable = color.readable_on(Color::WHITE);
        let message = format!(
            "has a contrast of {}.{}:1 with white; it needs at least 4.5:1, like {readable}",
            contrast / 100,
            contrast % 100 / 10
        );
        report.add_error(FIELD, Reason::ContrastTooLow, message);
    }
}

fn validate_text(field: &str, text: &str, report: &mut Report) {
    report.text(field, text, PAGE_TEXT_CHARS_MAX);
    if text.chars().any(char::is_control) {
        let message = "must not contain line breaks or other control characters";
        report.add_error(field, Reason::TextMalformed, message);
    }
}
