//! `hedgerow knowledge`: senses of words and their similarity.

use crate::support::{Place, shown};

/// A WordNet with three nouns.
const DATA: &str = "  1 A notice  \n\
    00000010 03 n 01 entity 0 000 | that which is  \n\
    00000020 18 n 02 doctor 0 Dr. 0 001 @ 00000010 n 0000 | one who heals; \"the doctor came\"  \n\
    00000030 18 n 01 surgeon 0 001 @ 00000020 n 0000 | a doctor who operates  \n";
const INDEX: &str = "  1 A notice  \n\
    doctor n 1 1 @ 1 0 00000020  \ndr. n 1 1 @ 1 0 00000020  \nentity n 1 0 1 0 00000010  \n\
    surgeon n 1 1 @ 1 0 00000030  \n";

fn place(data: &str, index: &str) -> Place {
    let place = Place::new();
    let folder = place.folder.path().join("wn");
    std::fs::create_dir(&folder).unwrap();
    for (name, text) in [("data.noun", data), ("index.noun", index)] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    place
}

#[test]
fn words_have_senses() {
    let place = Place::new();
    let output = place.hedgerow("knowledge lookup Nurses");
    insta::assert_snapshot!(shown(&output));
    let output = place.hedgerow("knowledge lookup nurze");
    insta::assert_snapshot!("unknown_word", shown(&output));
}

#[test]
fn the_notice_of_wordnet_is_shown() {
    let output = Place::new().hedgerow("knowledge notice");
    assert!(shown(&output).contains("WordNet 3.0 Copyright 2006 by Princeton University"));
    assert!(shown(&Place::new().hedgerow("--version")).contains("Princeton University"));
}

#[test]
fn senses_have_a_similarity() {
    let place = Place::new();
    let alike = |args: &str| {
        let output = place.hedgerow(&format!("knowledge similarity {args}"));
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(alike("surgeon#1 nurse.n.01"), "0.800000\n");
    assert_eq!(alike("surgeon.n.01 nurse#1 --mode nltk"), "0.833333\n");
    let output = place.hedgerow("knowledge similarity dog#9 cat#1");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        shown(&output).contains("'dog' has 7 senses; choose from dog#1 (canine)"),
        "{}",
        shown(&output)
    );
}

#[test]
fn a_directory_of_wordnet_is_read() {
    for (data, index) in [
        (DATA.to_owned(), INDEX.to_owned()),
        (DATA.replace('\n', "\r\n"), INDEX.replace('\n', "\r\n")),
    ] {
        let place = place(&data, &index);
        let output = place.hedgerow("knowledge lookup doctors --wordnet wn");
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text, "doctor#1  doctor.n.01  one who heals\n    doctor < entity\n");
    }
}

#[test]
fn a_custom_classification_is_read() {
    let jobs = "code,parent,label\n2,,Professionals\n22,2,Health professionals\n221,22,Doctors\n";
    let place = Place::new().with("isco.csv", jobs);
    let say =
        |args: &str| shown(&place.hedgerow(&format!("knowledge {args} --knowledge isco.csv")));
    let looked_up = "exit 0\n--- stdout\ndoctors#1  Doctors  \n    Doctors < Health professionals < Professionals\n";
    assert!(
        say("lookup 221").contains("Doctors < Health professionals < Professionals"),
        "{}",
        say("lookup 221")
    );
    assert!(say("lookup doctors").starts_with(looked_up), "{}", say("lookup doctors"));
    assert!(say("similarity 221 22").contains("0.857143"), "{}", say("similarity 221 22"));
}

#[test]
fn an_incomplete_directory_is_refused() {
    let error = |data: &str, index: &str| {
        let output = place(data, index).hedgerow("knowledge lookup doctor --wordnet wn");
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        String::from_utf8(output.stderr).unwrap()
    };
    let cut = DATA.split("\n00000010").next().unwrap();
    assert!(error(cut, INDEX).contains("data.noun: line 1: there is no synset in it"));
    let cut = &DATA[..DATA.find("00000030").unwrap() + 20];
    assert!(error(cut, INDEX).contains("data.noun: line 4: the line ends where its"));
    let lacks = DATA.replace("00000010 03 n 01 entity 0 000 | that which is  \n", "");
    let index = INDEX.replace("entity n 1 0 1 0 00000010  \n", "");
    assert!(
        error(&lacks, &index)
            .contains("line 2: synset 00000020 points to 00000010, which is not in")
    );
    let cut = &INDEX[..INDEX.find("surgeon").unwrap()];
    assert!(
        error(DATA, cut)
            .contains("index.noun: 'surgeon' (00000030) is missing; is the file truncated?")
    );
    let more = format!("{INDEX}x n 1 1 @ 1 0 00000099\n");
    assert!(
        error(DATA, &more)
            .contains("line 6: 'x' has the sense 00000099, which is not in data.noun")
    );
    let around = DATA.replace("entity 0 000", "entity 0 001 @ 00000030 n 0000");
    assert!(
        error(&around, INDEX).contains("entity.n.01 < surgeon.n.01 < doctor.n.01 < entity.n.01")
    );
    let output = Place::new().hedgerow("knowledge lookup doctor --wordnet nowhere");
    assert!(shown(&output).contains("there is no data.noun in it"), "{}", shown(&output));
}
