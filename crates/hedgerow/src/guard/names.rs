//! Meanings of the names of columns, in many languages.

use super::fused::{person_number, place_number, sensitive_compound};
use super::more_words::LANGUAGES;
use super::words::{
    AMBIGUOUS, BIRTHDATES, BIRTHS, CODES, COORDINATES, COUNTED, COUNTS, DATES, DURATIONS, FILLERS,
    FULL_DATES, GROUPS, MEASURES, OPINIONS, PLAIN_NAMES, SPANISH, TIMES, UNSURE, WEIGHTS, Words,
};
use crate::letters;
use crate::table::{is_short_postal, is_short_word};

/// The meaning of the name of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The number of a person: a patient's, a customer's, a document's.
    Person,
    /// The name of a person.
    Name,
    /// The name of something, which is a person unless it has few values.
    NameOf,
    /// Another direct identifier: a contact, an address, a document.
    Identifier,
    /// A coordinate. Whether it is one depends on the values.
    Coordinate,
    /// Known to others: age, place, dates of a life.
    Quasi,
    /// Sensitive.
    Sensitive,
    /// The weight of a record in a survey.
    Weight,
}

/// Returns the meaning of the name of a column, with the word that suggests it.
///
/// Words are separated at punctuation, digits and capitals, and compared without accents. Two or
/// three adjacent words may form one: `e_mail`, `FirstName`, `date_de_naissance`.
pub(super) fn meaning(name: &str) -> Option<(Meaning, String)> {
    let said = Said::new(name);
    let all = |of: fn(&Words) -> &'static str| LANGUAGES.iter().map(of);
    let (people, names) = (said.find(all(|w| w.people)), said.find(all(|w| w.names)));
    let names = names.filter(|word| !is_in(AMBIGUOUS, word) || said.is_known(word));
    let (places, things) = (said.place(), said.find(all(|w| w.things)));
    let number = said.find(all(|w| w.numbers)).or_else(|| said.compound(true));
    // The name or number of a place or a thing is not that of a person.
    let is_other = (places.is_some() || things.is_some()) && people.is_none();
    let is_opinion = said.is_opinion();
    let quasi = said.find(all(|w| w.quasi)).filter(|word| !is_opinion && said.is_known(word));
    let is_measure = said.has(MEASURES);
    // Weights come first, because their names can contain words such as `person`.
    if let Some(word) = said.find([WEIGHTS].into_iter()) {
        return Some((Meaning::Weight, word));
    }
    if let Some(word) = said.find(all(|w| w.identifiers)) {
        // The minutes of a phone and the balance of an account belong to many people.
        return (!is_measure).then(|| (kind_of_identifier(&word), word));
    }
    let is_name = !is_other && !is_measure && !said.is_count();
    if let Some(word) = names.or_else(|| said.compound(false)).filter(|_| is_name) {
        let is_plain = said.words.len() > 1 && people.is_none() && is_in(PLAIN_NAMES, &word);
        return Some((if is_plain { Meaning::NameOf } else { Meaning::Name }, word));
    }
    if let Some(word) = number.filter(|_| !is_other && !is_measure && quasi.is_none()) {
        // `number` alone, or the number of something unknown, is often a count.
        let is_id = word.starts_with("ident")
            || is_in("id uid pid uuid guid kennung subjid usubjid", &word);
        if people.is_some() || is_id || said.compound(true).is_some() {
            return Some((Meaning::Person, word));
        }
    }
    if let Some((word, _)) = person_number(&said.words).filter(|_| !is_measure) {
        return Some((Meaning::Person, word.to_owned()));
    }
    if let Some(word) = said.code_of_person().filter(|_| !is_measure) {
        return Some((Meaning::Person, word));
    }
    // `patient` alone holds the number of one; in a longer name it names the owner of the value.
    if said.words.len() == 1 && said.words[0].len() > 3 && is_a_person(&said.words[0]) {
        return Some((Meaning::Person, said.words[0].clone()));
    }
    // The age or the date at the beginning of an illness is known to others, unlike the illness.
    if let Some(word) = said.find([TIMES].into_iter()).filter(|_| said.words.len() > 1) {
        let is_sensitive = said.find(all(|w| w.sensitive)).is_some();
        if is_sensitive || quasi.is_some() {
            return Some((Meaning::Quasi, word));
        }
    }
    let rest = [
        (Meaning::Sensitive, said.find(all(|w| w.sensitive))),
        (Meaning::Sensitive, sensitive_compound(&said.words).map(str::to_owned)),
        (Meaning::Coordinate, said.find([COORDINATES].into_iter())),
        (Meaning::Quasi, quasi.or(places).filter(|_| !is_opinion)),
    ];
    rest.into_iter().find_map(|(meaning, word)| Some((meaning, word?)))
}

/// Whether the name of a column is that of a date of birth, if it has dates.
pub(super) fn is_of_birth(name: &str) -> bool {
    let said = Said::new(name);
    said.find([BIRTHS].into_iter()).is_some_and(|word| said.is_known(&word))
}

/// Whether the name of a column means dates of birth, and nothing else about births: `dob`,
/// `birth_date`, unlike `birth`, `birth_weight` and `birth_year`.
pub(super) fn is_date_of_birth(name: &str) -> bool {
    let said = Said::new(name);
    let has_date = said.words.iter().any(|word| is_in(FULL_DATES, word));
    let is_date = |run: &String| is_in(BIRTHDATES, run) || (has_date && is_in(BIRTHS, run));
    let is_part = |word: &String| is_in(TIMES, word) && !is_in(FULL_DATES, word);
    is_of_birth(name) && said.runs.iter().any(is_date) && !said.words.iter().any(is_part)
}

/// Whether the name of a column is that of a place.
pub(super) fn is_of_place(name: &str) -> bool {
    Said::new(name).place().is_some()
}

/// Whether the name of a column is that of a duration, if it has numbers.
pub(super) fn is_of_duration(name: &str) -> bool {
    Said::new(name).has(DURATIONS)
}

/// Whether the name of a column means a contact or a document without further details: `account`,
/// `phone_number`. Another word would mean a property of it.
pub(super) fn is_plain_identifier(name: &str) -> bool {
    let said = Said::new(name);
    let lists = |words: &Words| [words.identifiers, words.numbers, words.people];
    let is_part = |word: &String| LANGUAGES.iter().flat_map(lists).any(|list| is_in(list, word));
    said.words.iter().all(is_part) || said.words.len() == 1
}

/// Whether numbers in a column of this name belong to groups of people, or to parts of the records
/// of a person, rather than to people: `family_id`, `visit_id`.
pub(super) fn is_of_group(name: &str) -> bool {
    let said = Said::new(name);
    said.has(GROUPS) && !said.is_of_person()
}

/// Whether the name of a column identifies the owner of a number: `patient_id`, `SSN`, unlike `id`.
pub(super) fn names_whom(name: &str) -> bool {
    let said = Said::new(name);
    let surely = "pid uid userid subjid usubjid ssn mrn nhs nino bsn nir dni curp cpf";
    let is_fused = person_number(&said.words).is_some_and(|(_, is_sure)| is_sure);
    said.is_of_person() || said.compound(true).is_some() || is_fused || said.has(surely)
}

fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// Whether the name of a column is that of a place or a thing, whose names are not those of people.
pub(super) fn is_of_another(name: &str) -> bool {
    let said = Said::new(name);
    said.place().or_else(|| said.find(LANGUAGES.iter().map(|words| words.things))).is_some()
}

/// Whether the name of a column contains a word for a number or an identifier.
pub(super) fn announces_number(name: &str) -> bool {
    Said::new(name).find(LANGUAGES.iter().map(|words| words.numbers)).is_some()
}

/// Returns the meaning of a word for an identifier: the number of a person if a repeated one means
/// several records of that person, otherwise another identifier.
fn kind_of_identifier(word: &str) -> Meaning {
    let numbers = "ssn mrn nhs nino bsn nir dni nie curp cpf cns codicefiscale matrikelnummer \
                   personalnummer versichertennummer patientnummer medicalrecord email";
    if numbers.split_whitespace().any(|number| number == word) {
        Meaning::Person
    } else {
        Meaning::Identifier
    }
}

/// Whether the name of a column means people who are often known by their names.
pub(super) fn is_a_player(name: &str) -> bool {
    let nouns = "player athlete actor actress judge driver politician senator candidate doctor \
                 physician surgeon nurse teacher author coach pitcher rider swimmer runner painter \
                 artist singer spieler arzt lehrer autor joueur medecin auteur jugador medico \
                 giocatore speler jogador interviewer rater";
    let said = Said::new(name);
    said.words.len() == 1 && is_in(nouns, &said.words[0])
}

/// Nouns that mean the number of a person if they are the whole name of a column.
fn is_a_person(word: &str) -> bool {
    let nouns = "patient subject person participant respondent customer client member employee \
                 student individual proband kunde persona paziente paciente cliente persoon klant \
                 personne pessoa";
    nouns.split_whitespace().any(|noun| noun == word)
}

/// The words of a column's name.
struct Said {
    words: Vec<String>,
    /// All words and runs of adjacent words.
    runs: Vec<String>,
}

impl Said {
    fn new(name: &str) -> Self {
        let is_word = |word: &String| word.chars().all(char::is_alphabetic);
        let words: Vec<String> = letters::words(name).into_iter().filter(is_word).collect();
        let runs = runs(&words);
        Self { words, runs }
    }

    /// Returns the first word, or run of up to three words, that a list has.
    fn find(&self, lists: impl Iterator<Item = &'static str>) -> Option<String> {
        let mut known = lists.flat_map(str::split_whitespace);
        known.find(|word| self.runs.iter().any(|run| run == word)).map(str::to_owned)
    }

    /// Returns the word for a place, also if it is joined with one for a number: `villnum`.
    fn place(&self) -> Option<String> {
        let mut places = LANGUAGES.iter().flat_map(|words| words.places.split_whitespace());
        // The colour of a cap is not that of a postal code.
        let is_meant = |word: &str| !is_short_word(word) || is_short_postal(&self.words);
        let is_place = |word: &&str| self.runs.iter().any(|run| run == word) && is_meant(word);
        let known = places.find(is_place).map(str::to_owned);
        known.or_else(|| place_number(&self.words).map(str::to_owned))
    }

    /// Whether a word, or a run of up to three words, is in a list.
    fn has(&self, list: &'static str) -> bool {
        self.find([list].into_iter()).is_some()
    }

    /// Whether a word for a person is in the name, other than one that only qualifies a name or
    /// number.
    fn is_of_person(&self) -> bool {
        let is_sure = |word: &&str| !is_in(UNSURE, word);
        let people = LANGUAGES.iter().flat_map(|words| words.people.split_whitespace());
        people.filter(is_sure).any(|person| self.words.iter().any(|word| word == person))
    }

    /// Returns the word for a person in a name that has only one for a code besides it:
    /// `participant_code`. With another word, something else would be coded.
    fn code_of_person(&self) -> Option<String> {
        let meant: Vec<&String> = self.words.iter().filter(|word| !is_in(FILLERS, word)).collect();
        let is_person = |word: &str| {
            let mut people = LANGUAGES.iter().map(|words| words.people);
            !is_in(UNSURE, word) && people.any(|list| is_in(list, word))
        };
        match meant.as_slice() {
            [one, other] if is_in(CODES, other) && is_person(one) => Some((*one).clone()),
            [one, other] if is_in(CODES, one) && is_person(other) => Some((*other).clone()),
            _ => None,
        }
    }

    /// Whether a word of the name has the meaning of its language: some short words are
    /// something else next to words of other languages, and a count is known to others if it counts
    /// children.
    fn is_known(&self, word: &str) -> bool {
        let is_other = |other: &&String| {
            *other != word && !is_in(FILLERS, other) && !is_in(DATES, other) && other.len() > 1
        };
        let is_alone = !self.words.iter().any(|other| is_other(&other));
        let counts = self.words.len() > 1 && self.words.first().is_some_and(|w| is_in(COUNTS, w));
        (is_alone || !is_in(AMBIGUOUS, word)) && (!counts || is_in(COUNTED, word))
    }

    /// Whether the name is that of an opinion or a grade, or of an amount for each day or month
    /// other than hours of work: `JobSatisfaction`, `hours_tv_per_school_day`.
    fn is_opinion(&self) -> bool {
        let has = |word: &str| self.words.iter().any(|own| own == word);
        self.has(OPINIONS) || (has("per") && !has("week"))
    }

    /// Returns a word that joins a person with `name` or, if `is_number`, with `number` or `id`:
    /// `Patientenname`, `klantnummer`.
    fn compound(&self, is_number: bool) -> Option<String> {
        let ends: &[&str] = if is_number {
            &["nummer", "nr", "id", "number", "num", "no", "code"]
        } else {
            &["name", "naam"]
        };
        let people = || LANGUAGES.iter().flat_map(|words| words.people.split_whitespace());
        let is_compound = |word: &&String| {
            let stem = ends.iter().find_map(|end| word.strip_suffix(end));
            let stems = |person: &str, stem: &str| {
                stem.len() > 3
                    && stem.strip_prefix(person).is_some_and(|rest| ["", "n", "s"].contains(&rest))
            };
            stem.is_some_and(|stem| people().any(|person| stems(person, stem)))
        };
        self.words.iter().find(is_compound).cloned()
    }

    /// Whether the name is a French count: `nombre_enfants`.
    fn is_count(&self) -> bool {
        let spanish = [SPANISH_PEOPLE, "de del la el y e apellidos apellido"];
        let is_spanish = |word: &String| {
            spanish.iter().any(|list| list.split_whitespace().any(|known| known == word))
        };
        self.words.first().is_some_and(|word| word == "nombre")
            && self.words.len() > 1
            && !self.words[1..].iter().any(is_spanish)
    }
}

/// All words and runs of adjacent words, also without the short words between them.
fn runs(words: &[String]) -> Vec<String> {
    let whole: Vec<&String> = words.iter().collect();
    let meant: Vec<&String> = words.iter().filter(|word| !is_in(FILLERS, word)).collect();
    let events: Vec<&String> = meant.iter().copied().filter(|word| !is_in(DATES, word)).collect();
    let mut runs: Vec<String> = Vec::new();
    // Without fillers and words for dates, `date_de_naissance` becomes `naissance`.
    for words in [whole, meant, events] {
        for length in 1..=3 {
            let windows = words.windows(length);
            runs.extend(windows.map(|run| run.iter().map(|word| word.as_str()).collect()));
        }
    }
    runs.sort_unstable();
    runs.dedup();
    runs
}

const SPANISH_PEOPLE: &str = SPANISH.people;

#[cfg(test)]
mod tests {
    use super::*;

    fn is(meaning_of: Meaning, names: &str) {
        for name in names.split_whitespace() {
            let found = meaning(name);
            assert_eq!(
                found.as_ref().map(|(found, _)| *found),
                Some(meaning_of),
                "{name}: {found:?}"
            );
        }
    }

    #[test]
    fn names_and_contacts_are_identifiers_in_many_languages() {
        is(
            Meaning::Name,
            "name patientName Nachname nom_famille surname First.Name LASTNAME Vorname prénom \
             Apellidos nombre nombre_completo cognome Nome achternaam voornaam sobrenome \
             Patientenname doctor_name nomUsage Familienname KundenName naam",
        );
        is(
            Meaning::Name,
            "Imię Nazwisko jméno příjmení Vezetéknév Keresztnév förnamn efternamn fornavn etunimi \
             sukunimi Ad Soyad Adı İsim Όνομα Επώνυμο Фамилия Имя ФИО Отчество الاسم 이름 성명 氏名 \
             フリガナ 姓名 患者姓名 họ_tên नाम prenume",
        );
        is(
            Meaning::Identifier,
            "telefon Straße rue calle indirizzo straat endereço phone_number home_address \
             IPAddress Lakcím телефон Адрес الهاتف 전화번호 住所 手机 telefonnummer osoite",
        );
    }

    #[test]
    fn measurements_are_not_identifiers_whatever_they_are_about() {
        for name in
            "account_balance account_age_days url_clicks mail_count login_count phone_calls \
                     phone_minutes months_at_address name_length account_never_delinq_percent \
                     num_mort_accounts hours_tv_per_school_day JobSatisfaction \
                     RelationshipSatisfaction ad_spend"
                .split_whitespace()
        {
            assert_eq!(meaning(name), None, "{name}");
        }
        is(Meaning::NameOf, "month_name insurance_name");
        is(Meaning::Quasi, "hours-per-week num_children job mort hometown homeworld");
    }

    #[test]
    fn births_are_known_in_many_languages() {
        for name in "dob birth.dt birth Geb.-Datum fecha_nacimiento date_de_naissance né(e)_le \
                     Дата_рождения تاريخ_الميلاد Doğum_Tarihi data_urodzenia 生年月日 생년월일"
            .split_whitespace()
        {
            assert!(is_of_birth(name), "{name}");
        }
        for name in
            "bday bdate b_date BRTHDT b.day birth_dt BirthDt date_of_birth ddn f_nac".split(' ')
        {
            assert!(is_of_birth(name), "{name}");
        }
        for name in "bdate b_date brthdt bday".split(' ') {
            assert!(is_date_of_birth(name), "{name}");
        }
        assert!(!is_of_birth("ne_region") && !is_of_birth("diagnosis_date"));
        for name in ["dob", "birth.dt", "Geb.-Datum", "data_urodzenia", "date_de_naissance"] {
            assert!(is_date_of_birth(name), "{name}");
        }
        for name in ["birth", "birth_weight", "birth_year", "dob_year", "geboren", "diagnosis_date"]
        {
            assert!(!is_date_of_birth(name), "{name}");
        }
    }

    #[test]
    fn the_number_of_a_patient_says_whose_it_is() {
        assert!(["patient_id", "subjectId", "userId", "SSN"].iter().all(|name| names_whom(name)));
        assert!(["id", "case.id", "bookpageID"].iter().all(|name| !names_whom(name)));
        assert!(is_of_group("family_id") && is_of_group("visit_id") && !is_of_group("patient_id"));
    }

    #[test]
    fn numbers_of_people_are_identifiers() {
        is(
            Meaning::Person,
            "id ID patient_id PatientID subjectId customer_number Kundennummer e_mail SSN cpf \
             codice_fiscale numero_paciente klantnummer patient matrikelnummer userid pid identifier pidnum \
             patno caseid ptid participant_code PatientCode code_patient codigo_del_paciente \
             Patientencode subject.code1",
        );
        for name in "ind_code class_of_worker_code case_code patient_status_code code postcode \
                     mother_education_code"
            .split_whitespace()
        {
            let found = meaning(name).map(|(found, _)| found);
            assert_ne!(found, Some(Meaning::Person), "{name}");
        }
    }

    #[test]
    fn names_of_things_and_places_are_not_names_of_people() {
        for name in "drug_name country_name county_id product_id file_name species nombre_enfants \
                     number n_visits type_id carrier_name numberOfItems variable"
            .split_whitespace()
        {
            let found = meaning(name);
            let is_person =
                matches!(found, Some((Meaning::Name | Meaning::Identifier | Meaning::Person, _)));
            assert!(!is_person, "{name}: {found:?}");
        }
    }

    #[test]
    fn quasi_identifiers_are_known_in_seven_languages() {
        is(
            Meaning::Quasi,
            "age Alter edad idade leeftijd Geschlecht sexe sesso geslacht PLZ code_postal \
             fecha_nacimiento date_de_naissance Geburtsdatum data_nascita geboortedatum \
             dataNascimento codigo_postal zip county_id date_of_death date_onset dob \
             Familienstand état_civil professione marital-status fecha_defuncion Sterbedatum \
             un_continent_name ctryname black hispanic female male agea eduyrs marstat",
        );
    }

    #[test]
    fn numbers_of_places_are_known_in_one_word() {
        is(
            Meaning::Quasi,
            "villnum village_id villageid vill_id towncode gemeindenr dorf_id cod_mun codmun \
             wijkcode dorpnr aldea_id distnum psu hameau Bezirksnummer Gemeindeschlüssel \
             codigomunicipio CODECOMMUNE numcommune landkreisnr",
        );
        for name in "distance number_of_items idnum barcode unicode casino turkey madrid".split(' ')
        {
            assert_ne!(meaning(name).map(|(found, _)| found), Some(Meaning::Quasi), "{name}");
        }
    }

    #[test]
    fn the_age_and_the_date_of_an_illness_are_quasi_identifiers() {
        is(
            Meaning::Quasi,
            "age_at_diagnosis year_month_of_diagnosis Alter_bei_Diagnose date_diagnostic \
             diagnosisDate",
        );
        is(Meaning::Sensitive, "diagnosis diagnosis_code primary_diagnosis");
    }

    #[test]
    fn sensitive_columns_are_known_in_seven_languages() {
        is(
            Meaning::Sensitive,
            "diagnosis Diagnose Gehalt salaire religione Krankheit sueldo stipendio inkomen renda \
             doença maladie enfermedad income",
        );
    }

    #[test]
    fn weights_and_coordinates_are_known() {
        is(
            Meaning::Weight,
            "fnlwgt perwt sample_weight peso_muestral gewichtsfactor factor_de_expansion ponderacion \
             weegfactor Gewichtungsfaktor coefficient_ponderation peso_campione fator_expansao",
        );
        is(Meaning::Coordinate, "lat longitude home_lat");
    }

    #[test]
    fn other_names_say_nothing() {
        for name in "x1 capital-gain score value tenure hp mpg dep_delay wt.loss".split_whitespace()
        {
            assert_eq!(meaning(name), None, "{name}");
        }
    }
}
