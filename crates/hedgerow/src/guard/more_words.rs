//! Words for names, contacts, addresses and births in the names of columns, in further languages:
//! without accents, in lower case, compounds in one word.

use super::words::{DUTCH, ENGLISH, FRENCH, GERMAN, ITALIAN, PORTUGUESE, SPANISH, Words};

/// The words of all languages.
pub(super) const LANGUAGES: [Words; 24] = [
    ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, DUTCH, PORTUGUESE, POLISH, CZECH, HUNGARIAN,
    ROMANIAN, SWEDISH, DANISH, FINNISH, TURKISH, GREEK, RUSSIAN, UKRAINIAN, ARABIC, KOREAN,
    JAPANESE, CHINESE, VIETNAMESE, HINDI,
];

const POLISH: Words = Words {
    people: "pacjent klient pracownik uczen student osoba uzytkownik lekarz",
    names: "imie imiona nazwisko nazwiska imieinazwisko nazwiskoimie pseudonim",
    numbers: "identyfikator numer",
    identifiers: "pesel nip telefon komorka adres ulica dowod paszport",
    places: "kodpocztowy miasto miejscowosc gmina powiat wojewodztwo",
    quasi: "wiek plec dataur urodzenia dataurodzenia zawod stancywilny wyksztalcenie obywatelstwo",
    sensitive: "zarobki wynagrodzenie rozpoznanie choroba",
    ..Words::NONE
};

/// Czech and Slovak.
const CZECH: Words = Words {
    people: "pacient klient zamestnanec student osoba uzivatel lekar",
    names: "jmeno krestnijmeno prijmeni prezdivka meno krstnemeno priezvisko",
    numbers: "cislo",
    identifiers: "rodnecislo telefon mobil adresa ulice ulica bydliste",
    places: "psc mesto obec okres kraj",
    quasi: "vek pohlavi narozeni datumnarozeni povolani vzdelani",
    sensitive: "diagnoza mzda",
    ..Words::NONE
};

const HUNGARIAN: Words = Words {
    people: "beteg paciens ugyfel dolgozo tanulo orvos",
    names: "nev nevek vezeteknev keresztnev csaladnev utonev teljesnev leanykorinev",
    numbers: "azonosito szam",
    identifiers: "telefon telefonszam lakcim utca tajszam szemelyiszam adoszam",
    places: "iranyitoszam varos telepules megye",
    quasi: "eletkor neme szuletesi szuletesidatum foglalkozas",
    sensitive: "diagnozis fizetes jovedelem",
    ..Words::NONE
};

const ROMANIAN: Words = Words {
    people: "pacient angajat utilizator",
    names: "nume prenume numefamilie numecomplet",
    identifiers: "cnp telefon adresa strada",
    places: "codpostal oras judet localitate",
    quasi: "varsta datanasterii nasterii",
    ..Words::NONE
};

const SWEDISH: Words = Words {
    people: "kund anstalld anvandare lakare",
    names: "namn fornamn efternamn tilltalsnamn smeknamn",
    numbers: "nummer",
    identifiers: "personnummer telefon telefonnummer mobilnummer adress gata gatuadress",
    places: "postnummer stad kommun",
    quasi: "alder fodelsedatum fodd yrke",
    sensitive: "inkomst diagnos",
    ..Words::NONE
};

/// Danish and Norwegian.
const DANISH: Words = Words {
    people: "kunde ansat ansatt bruger bruker lege laege",
    names: "navn fornavn efternavn etternavn mellomnavn kaldenavn",
    numbers: "nummer",
    identifiers: "cpr cprnr cprnummer fodselsnummer personnummer telefon tlf mobil adresse",
    places: "postnummer postnr kommune fylke",
    quasi: "alder kjonn fodselsdato fodselsdag fodt yrke",
    sensitive: "lonn inntekt",
    ..Words::NONE
};

const FINNISH: Words = Words {
    people: "potilas asiakas oppilas tyontekija kayttaja",
    names: "nimi etunimi etunimet sukunimi kutsumanimi",
    identifiers: "hetu henkilotunnus puhelin puhelinnumero osoite katuosoite sahkoposti",
    places: "postinumero kaupunki kunta",
    quasi: "ika sukupuoli syntymaaika ammatti",
    ..Words::NONE
};

const TURKISH: Words = Words {
    people: "musteri calisan ogrenci kullanici kisi doktor",
    names: "ad adi soyad soyadi adsoyad isim kullaniciadi",
    numbers: "kimlikno",
    identifiers: "tckimlik tckimlikno tckn telefon ceptelefonu adres sokak eposta",
    places: "postakodu sehir ilce mahalle",
    quasi: "yas cinsiyet dogum dogumtarihi meslek medenihal",
    sensitive: "maas gelir tani",
    ..Words::NONE
};

const GREEK: Words = Words {
    people: "ασθενησ πελατησ μαθητησ χρηστησ",
    names: "ονομα επωνυμο επιθετο ονοματεπωνυμο μικροονομα πατρωνυμο",
    identifiers: "αφμ αμκα τηλεφωνο κινητο διευθυνση οδοσ",
    places: "τκ πολη νομοσ δημοσ",
    quasi: "ηλικια φυλο γεννησησ ημερομηνιαγεννησησ επαγγελμα",
    sensitive: "μισθοσ εισοδημα διαγνωση",
    ..Words::NONE
};

const RUSSIAN: Words = Words {
    people: "пациент клиент сотрудник ученик студент пользователь врач",
    names: "имя фамилия отчество фио полноеимя",
    numbers: "идентификатор номер",
    identifiers: "снилс инн паспорт телефон мобильный адрес улица почта логин",
    places: "индекс город область район регион",
    things: "файл файла продукт товар компания",
    quasi: "возраст пол рождения датарождения профессия образование гражданство",
    sensitive: "диагноз зарплата доход",
};

const UKRAINIAN: Words = Words {
    names: "ім прізвище піб побатькові",
    identifiers: "іпн телефон адреса вулиця",
    places: "місто область",
    quasi: "вік стать народження датанародження",
    ..Words::NONE
};

const ARABIC: Words = Words {
    people: "المريض العميل الموظف الطالب",
    names: "الاسم اسم الإسم اللقب الاسمالكامل اسمالعائلة الاسمالأول",
    identifiers: "الهوية رقمالهوية الهاتف هاتف الجوال جوال العنوان عنوان البريد",
    places: "المدينة المنطقة",
    quasi: "العمر الجنس الميلاد تاريخالميلاد المهنة الجنسية",
    sensitive: "الراتب التشخيص",
    ..Words::NONE
};

const KOREAN: Words = Words {
    names: "이름 성명 성함 성 환자명 고객명 환자이름 고객이름",
    identifiers: "주민번호 주민등록번호 전화 전화번호 휴대폰 휴대전화 핸드폰 주소 이메일",
    places: "우편번호 시도 시군구 지역",
    quasi: "나이 연령 성별 생년월일 생일 직업",
    sensitive: "급여 소득 진단",
    ..Words::NONE
};

const JAPANESE: Words = Words {
    names: "氏名 名前 お名前 姓 名 苗字 名字 フリガナ ふりがな 氏名カナ カナ氏名 患者氏名 患者名 顧客名 社員名",
    identifiers: "電話 電話番号 携帯 携帯電話 住所 メール メールアドレス 会員番号 患者番号 社員番号",
    places: "郵便番号 都道府県 市区町村",
    quasi: "年齢 性別 生年月日 誕生日 職業",
    sensitive: "年収 病名 診断",
    ..Words::NONE
};

const CHINESE: Words = Words {
    names: "姓名 名字 患者姓名 客户姓名 学生姓名 员工姓名 病人姓名 用户名",
    identifiers: "身份证 身份证号 身份证号码 手机 手机号 手机号码 电话 電話 电话号码 地址 住址 邮箱 微信",
    places: "邮编 省份 城市 地区",
    quasi: "年龄 性别 出生日期 出生年月 生日 职业 民族",
    sensitive: "收入 工资 诊断",
    ..Words::NONE
};

const VIETNAMESE: Words = Words {
    names: "họten họvaten tendệm",
    identifiers: "sốdiệnthoại diệnthoại dịachỉ cccd cmnd",
    quasi: "tuổi giớitinh ngaysinh",
    ..Words::NONE
};

const HINDI: Words = Words {
    names: "नाम पूरानाम उपनाम",
    identifiers: "फोन मोबाइल पता आधार",
    quasi: "आयु लिंग",
    ..Words::NONE
};
