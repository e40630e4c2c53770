//! Colours of pages, and their contrast (WCAG 2.2, "contrast ratio" and "relative luminance").

use std::fmt;
use std::str::FromStr;

/// A colour in sRGB, `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color([u8; 3]);

/// Not a `#rrggbb` colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColorError;

/// The contrast that text needs, in hundredths (WCAG 2.2, success criterion 1.4.3).
pub const CONTRAST_MIN: u32 = 450;

/// Steps from a colour to white or black.
const STEPS: u32 = 64;

/// The linear value of each sRGB value, in millionths.
const LINEAR: [u32; 256] = [
    0, 304, 607, 911, 1214, 1518, 1821, 2125, 2428, 2732, 3035, 3347, 3677, 4025, 4391, 4777, 5182,
    5605, 6049, 6512, 6995, 7499, 8023, 8568, 9134, 9721, 10_330, 10_960, 11_612, 12_286, 12_983,
    13_702, 14_444, 15_209, 15_996, 16_807, 17_642, 18_500, 19_382, 20_289, 21_219, 22_174, 23_153,
    24_158, 25_187, 26_241, 27_321, 28_426, 29_557, 30_713, 31_896, 33_105, 34_340, 35_601, 36_889,
    38_204, 39_546, 40_915, 42_311, 43_735, 45_186, 46_665, 48_172, 49_707, 51_269, 52_861, 54_480,
    56_128, 57_805, 59_511, 61_246, 63_010, 64_803, 66_626, 68_478, 70_360, 72_272, 74_214, 76_185,
    78_187, 80_220, 82_283, 84_376, 86_500, 88_656, 90_842, 93_059, 95_307, 97_587, 99_899,
    102_242, 104_616, 107_023, 109_462, 111_932, 114_435, 116_971, 119_538, 122_139, 124_772,
    127_438, 130_136, 132_868, 135_633, 138_432, 141_263, 144_128, 147_027, 149_960, 152_926,
    155_926, 158_961, 162_029, 165_132, 168_269, 171_441, 174_647, 177_888, 181_164, 184_475,
    187_821, 191_202, 194_618, 198_069, 201_556, 205_079, 208_637, 212_231, 215_861, 219_526,
    223_228, 226_966, 230_740, 234_551, 238_398, 242_281, 246_201, 250_158, 254_152, 258_183,
    262_251, 266_356, 270_498, 274_677, 278_894, 283_149, 287_441, 291_771, 296_138, 300_544,
    304_987, 309_469, 313_989, 318_547, 323_143, 327_778, 332_452, 337_164, 341_914, 346_704,
    351_533, 356_400, 361_307, 366_253, 371_238, 376_262, 381_326, 386_429, 391_572, 396_755,
    401_978, 407_240, 412_543, 417_885, 423_268, 428_690, 434_154, 439_657, 445_201, 450_786,
    456_411, 462_077, 467_784, 473_531, 479_320, 485_150, 491_021, 496_933, 502_886, 508_881,
    514_918, 520_996, 527_115, 533_276, 539_479, 545_724, 552_011, 558_340, 564_712, 571_125,
    577_580, 584_078, 590_619, 597_202, 603_827, 610_496, 617_207, 623_960, 630_757, 637_597,
    644_480, 651_406, 658_375, 665_387, 672_443, 679_542, 686_685, 693_872, 701_102, 708_376,
    715_694, 723_055, 730_461, 737_910, 745_404, 752_942, 760_525, 768_151, 775_822, 783_538,
    791_298, 799_103, 806_952, 814_847, 822_786, 830_770, 838_799, 846_873, 854_993, 863_157,
    871_367, 879_622, 887_923, 896_269, 904_661, 913_099, 921_582, 930_111, 938_686, 947_307,
    955_973, 964_686, 973_445, 982_251, 991_102, 1_000_000,
];

impl FromStr for Color {
    type Err = ColorError;

    fn from_str(text: &str) -> Result<Self, ColorError> {
        let digits = text.strip_prefix('#').ok_or(ColorError)?;
        let is_hex = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hex {
            return Err(ColorError);
        }
        let mut parts = [0; 3];
        for (part, place) in parts.iter_mut().zip([0, 2, 4]) {
            let digits = digits.get(place..place + 2).ok_or(ColorError)?;
            *part = u8::from_str_radix(digits, 16).map_err(|_| ColorError)?;
        }
        Ok(Self(parts))
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl Color {
    /// Black.
    pub const BLACK: Self = Self([0; 3]);

    /// White.
    pub const WHITE: Self = Self([255; 3]);

    /// A colour of its parts.
    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self([red, green, blue])
    }

    /// Relative luminance, in millionths.
    fn luminance(self) -> u64 {
        let linear = |part| LINEAR.get(usize::from(part)).copied().unwrap_or_default();
        let [red, green, blue] = self.0.map(|part| u64::from(linear(part)));
        (2126 * red + 7152 * green + 722 * blue) / 10_000
    }

    /// The contrast ratio to another colour in hundredths, from 100 to 2100, rounded down.
    pub fn contrast(self, other: Self) -> u32 {
        let (one, two) = (self.luminance(), other.luminance());
        let ratio = (one.max(two) + 50_000) * 100 / (one.min(two) + 50_000);
        u32::try_from(ratio).unwrap_or(u32::MAX)
    }

    /// The nearest colour to this one that can be read on a background: itself, or mixed with black or white, whichever is farther
    /// from the background.
    #[must_use]
    pub fn readable_on(self, background: Self) -> Self {
        let ends = [Self::BLACK, Self::WHITE];
        let end = ends.into_iter().max_by_key(|end| end.contrast(background));
        let end = end.unwrap_or(Self::BLACK);
        let mut mixes = (0..STEPS).map(|step| self.mixed(end, step));
        let readable = mixes.find(|mix| mix.contrast(background) >= CONTRAST_MIN);
        readable.unwrap_or(end)
    }

    /// This colour with `step` of [`STEPS`] parts of another.
    fn mixed(self, other: Self, step: u32) -> Self {
        let mut parts = self.0;
        for (part, other) in parts.iter_mut().zip(other.0) {
            let sum = u32::from(*part) * (STEPS - step) + u32::from(other) * step;
            *part = u8::try_from(sum / STEPS).unwrap_or(u8::MAX);
        }
        Self(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::{CONTRAST_MIN, Color, ColorError};

    fn color(text: &str) -> Color {
        text.parse().expect("a colour")
    }

    #[test]
    fn a_colour_is_six_hexadecimal_digits() {
        for text in ["#2b47c4", "#000000", "#ffffff"] {
            assert_eq!(color(text).to_string(), text);
        }
        assert_eq!(color("#2B47C4").to_string(), "#2b47c4");
        for text in [
            "2b47c4", "#2b47c", "#2b47c4f", "#2b47cg", "#+b47c4", "red", "", "#ééé",
        ] {
            assert_eq!(text.parse::<Color>(), Err(ColorError), "{text}");
        }
    }

    /// Ratios of the contrast checker of WebAIM.
    #[test]
    fn the_contrast_is_that_of_wcag() {
        for (one, other, ratio) in [
            ("#000000", "#ffffff", 2100),
            ("#ffffff", "#ffffff", 100),
            ("#777777", "#ffffff", 447),
            ("#767676", "#ffffff", 454),
            ("#0000ff", "#ffffff", 859),
            ("#ff0000", "#ffffff", 399),
        ] {
            let (one, other) = (color(one), color(other));
            assert_eq!(one.contrast(other), ratio, "{one} {other}");
            assert_eq!(other.contrast(one), ratio, "{other} {one}");
        }
    }

    #[test]
    fn every_colour_has_a_readable_one_on_every_background() {
        let parts = || (0..=255).step_by(51);
        for background in ["#ffffff", "#16181f", "#000000", "#777777"].map(color) {
            for (red, green, blue) in parts().flat_map(|red| {
                parts().flat_map(move |green| parts().map(move |blue| (red, green, blue)))
            }) {
                let given = Color::new(red, green, blue);
                let readable = given.readable_on(background);
                assert!(
                    readable.contrast(background) >= CONTRAST_MIN,
                    "{given} {readable} {background}"
                );
                if given.contrast(background) >= CONTRAST_MIN {
                    assert_eq!(readable, given, "{background}");
                }
            }
        }
    }

    #[test]
    fn a_readable_colour_is_as_near_as_possible() {
        assert_eq!(color("#ffd400").readable_on(Color::WHITE), color("#8b7300"));
        assert_eq!(
            color("#2b47c4").readable_on(color("#16181f")),
            color("#697dd5")
        );
        assert_eq!(Color::BLACK.readable_on(Color::BLACK), color("#777777"));
    }
}
