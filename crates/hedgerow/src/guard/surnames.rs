//! Recognizes single words that are family names although they are few, and names that are also
//! those of places, things and institutions.

use std::sync::LazyLock;

use hashbrown::HashSet;

use crate::letters::folded;

/// Frequent family names of Vietnam, Japan and Romania, collected by hand, in small letters.
static SURNAMES: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    [VIETNAMESE, JAPANESE, ROMANIAN].into_iter().flat_map(str::split_whitespace).collect()
});

const VIETNAMESE: &str = "nguyễn trần lê phạm hoàng huỳnh phan vũ võ đặng bùi đỗ hồ ngô dương lý đào đoàn \
                          vương trịnh trương đinh lâm phùng mai tô tạ hà cao chu tăng quách";
const JAPANESE: &str = "佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本 井上 木村 林 \
                        斎藤 斉藤 清水 山崎 森 池田 橋本 阿部 石川 山下 中島 石井 小川 前田 岡田 長谷川 藤田 \
                        後藤 近藤 村上 遠藤 青木 坂本 福田 太田 西村 藤井 金子 岡本 藤原 中野 三浦 原田 中川 \
                        松田 竹内 小野 田村 中山 和田 石田 上田 森田 原 柴田 酒井 工藤 横山 宮崎 宮本 内田 高木 \
                        安藤 谷口 大野 丸山 今井 高田 藤本 武田 村田 上野 杉山 増田 菅原 平野 大塚 千葉 久保 松井";
const ROMANIAN: &str = "popescu ionescu popa pop dumitru stan stoica gheorghe matei ciobanu rusu constantin \
                        marin lazar barbu florea dobre moldovan dinu oprea cristea preda tudor toma \
                        nistor suciu manole mocanu nita albu ardelean diaconu ene voinea stancu stanescu \
                        georgescu gheorghiu dumitrescu radu ilie neagu sandu nemes ionita";

/// Family names and first names that are also ordinary words: colours, trades, seasons, plants,
/// virtues, brands, things.
const ORDINARY: &str = "bacon baker ball banks bean bell berry best bird bishop black blue bond brown bush \
                        butler camp carpenter carter case cash castle church cook cooper day farmer \
                        field fields fisher fox frost gardner gates glass gold golden good grant gray \
                        green hall hand head hill hope house hunter key keys king knight lake lamb lane \
                        long love marsh mason may miller mills moss noble north page park parks pool \
                        porter post potter powers price queen reed rice rich rivers rose savage sharp \
                        shepherd short silver small snow stone street strong summers sweet swift temple \
                        turner walker wall walls ware weaver wells west white winter winters wise wolf \
                        wood woods young april june august summer autumn violet olive ruby coral amber \
                        jade ivory hazel crystal daisy lily iris ivy fern heather holly myrtle laurel \
                        rosemary basil ginger cherry pearl opal jewel diamond venus faith joy grace \
                        charity mercy patience prudence constance dawn sunny prince duke earl major \
                        ford dodge bentley harley royce hare crane swan hawk drake pike finch robin";
/// Names that are also those of towns, counties and states.
const PLACES: &str = "florence charlotte austin jackson lourdes houston dallas denver madison lincoln \
                      washington jefferson franklin montgomery marion monroe orlando lancaster york \
                      bristol cleveland columbus hamilton wellington phoenix berlin paris london sydney \
                      victoria georgia virginia carolina dakota chester santiago salvador diego francisco \
                      vienna milan roma adelaide savannah aurora eugene jordan israel chad clay clinton \
                      douglas marshall wayne warren perry greene lee logan tyler stanton burlington \
                      lexington arlington richmond raleigh salem trenton dover windsor kent devon \
                      beverly geneva valencia cordoba mercedes leon bethlehem antonio jose";
/// Words in the names of institutions and companies.
const INSTITUTIONS: &str = "st saint sankt mount mt klinikum klinik hospital clinic university college \
                            school institute center centre inc llc ltd plc gmbh ag se srl bv nv corp \
                            company group sons and und kg ohg verein stiftung bank insurance royal \
                            national general memorial";

/// Number of different values from which family names are evidence, and the share that must be
/// known.
const LEAST: usize = 5;
const KNOWN: f64 = 0.8;
/// The same for names of Vietnam, Japan and Romania, of which the lists have a part.
const LEAST_ELSEWHERE: usize = 8;
const KNOWN_ELSEWHERE: f64 = 0.5;
/// Share of Arabic family names that must begin with a word for a family.
const ARABIC: f64 = 0.3;

/// Whether a word in small letters is a name that is not also a place or an ordinary word.
pub(super) fn is_only_a_name(word: &str) -> bool {
    let is_in = |list: &str| list.split_whitespace().any(|known| known == word);
    !is_in(ORDINARY) && !is_in(PLACES)
}

/// Whether words belong to the name of an institution or a company.
pub(super) fn has_institution(words: &[String]) -> bool {
    words.iter().any(|word| INSTITUTIONS.split_whitespace().any(|known| known == word))
}

/// Whether values are family names, even if they are few. `is_family` knows those of the United
/// States, and `is_character` Chinese and Korean ones of one character.
pub(super) fn are_surnames(
    values: &[&str],
    is_family: impl Fn(&str) -> bool,
    is_character: impl Fn(char) -> bool,
) -> bool {
    let share = |n: usize| n as f64 / values.len().max(1) as f64;
    let count = |is: &dyn Fn(&str) -> bool| values.iter().filter(|value| is(value)).count();
    let is_known = |value: &str| is_family(&folded(value));
    let is_clear = |value: &str| is_known(value) && is_only_a_name(&folded(value));
    let is_elsewhere = |value: &str| {
        let small = value.to_lowercase();
        SURNAMES.contains(small.as_str()) || SURNAMES.contains(folded(value).as_str())
    };
    let is_one = |value: &str| {
        let mut characters = value.chars();
        characters.next().is_some_and(&is_character) && characters.next().is_none()
    };
    let is_arabic =
        |value: &str| ["آل ", "بن ", "أبو ", "أبا "].iter().any(|of| value.starts_with(of));
    (values.len() >= LEAST
        && share(count(&is_known)) >= KNOWN
        && 2 * count(&is_clear) > values.len())
        || (values.len() >= LEAST && share(count(&is_one)) >= KNOWN)
        || (values.len() >= LEAST_ELSEWHERE && share(count(&is_elsewhere)) >= KNOWN_ELSEWHERE)
        || (values.len() >= LEAST_ELSEWHERE && share(count(&is_arabic)) >= ARABIC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn family_names_are_recognized_in_any_case_and_other_words_are_not() {
        let is_family = |word: &str| {
            let known = "wilson hall young taylor smith lewis king black white brown gray green";
            known.split(' ').any(|name| name == word)
        };
        let are = |values: &[&str]| are_surnames(values, is_family, |_| false);
        assert!(are(&["wilson", "hall", "taylor", "smith", "lewis", "king"]));
        assert!(are(&["WILSON", "HALL", "TAYLOR", "SMITH", "LEWIS", "KING"]));
        assert!(are(&["Wilson", "Hall", "Taylor", "Smith", "Lewis", "King"]));
        assert!(!are(&["black", "white", "brown", "gray", "green", "young"]));
        assert!(are(&["popescu", "ionescu", "stan", "stoica", "rusu", "dinu", "radu", "ilie"]));
    }
}
