//! Words in the names of columns, by language: without accents, in lower case, compounds in one
//! word.

/// The words of one language.
pub(super) struct Words {
    /// A person, in front of `name`, `id` or `number`: `patient`.
    pub(super) people: &'static str,
    /// Words for a name, which identifies a person unless it is the name of a thing.
    pub(super) names: &'static str,
    /// Words for an identifier or a number that belongs to a person.
    pub(super) numbers: &'static str,
    /// Other words that announce a direct identifier: contacts, addresses, documents.
    pub(super) identifiers: &'static str,
    /// Places, whose names and numbers are quasi-identifiers.
    pub(super) places: &'static str,
    /// Things with names and numbers that do not belong to a person.
    pub(super) things: &'static str,
    /// Quasi-identifiers, including dates of birth, death and onset.
    pub(super) quasi: &'static str,
    /// Sensitive columns.
    pub(super) sensitive: &'static str,
}

impl Words {
    /// A language of which no words are known.
    pub(super) const NONE: Self = Self {
        people: "",
        names: "",
        numbers: "",
        identifiers: "",
        places: "",
        things: "",
        quasi: "",
        sensitive: "",
    };
}

pub(super) const ENGLISH: Words = Words {
    people: "patient person pers subject participant respondent customer client user member employee \
             worker student pupil teacher insured claimant applicant borrower beneficiary enrollee \
             individual people citizen voter passenger donor case owner guest tenant suspect victim \
             mother father child spouse partner guardian physician doctor nurse provider author \
             first last full given family middle maiden legal birth nick",
    names: "name names surname surnames firstname lastname fullname forename forenames nickname \
            username givenname familyname maidenname middlename initials",
    numbers: "id ids identifier uid uuid guid pid key number num no nr subjid usubjid",
    identifiers: "email mail phone telephone cellphone mobile fax ssn socialsecurity passport iban \
                  address street houseno housenumber ip ipaddress url website homepage login mrn \
                  medicalrecord nhs nino creditcard cardnumber licenseplate licenceplate vin \
                  driverslicense account accountnumber signature photo",
    places: "zip zipcode postcode postalcode postal city town hometown homecity homestate homeworld \
             homecountry residence village hamlet psu enumerationarea county country state region \
             province continent subregion ctry cntry ctryname cntryname countryname statename \
             cityname nation district municipality tract block borough ward fips neighborhood neighbourhood location precinct hospital clinic school \
             site center centre station department unit",
    things: "file drug product item brand company firm test event variable column field table \
             species gene team ship boat plane car model movie film song book show channel store \
             shop vendor supplier category type group class code order project task study trial \
             course subject plan procedure service facility organization organisation agency \
             airline carrier device food dish trait treatment disease diagnosis household origin \
             dest destination of",
    quasi: "age ages agea ageyrs agegrp agegroup agecat eduyrs yrsedu educyrs marstat maritl sex gender female male black white hispanic latino asian birth birthdate birthday birthyear birthplace dob yob born bday bdate bdt bthdate brthdt brthdate \
            birthdt dateofbirth death \
            died dod deathdate onset admission admitted discharge race ethnicity ethnic \
            nationality citizenship marital married maritalstatus education educ degree schooling \
            occupation job jobtitle profession workclass employer industry hours height weight language origin \
            children kids familysize householdsize relationship",
    sensitive: "diagnosis diagnoses disease illness condition salary income wage wages earnings pay \
                religion charges treatment medication hiv credit debt disability pregnancy \
                pregnant sexualorientation politicalparty party vote crime offense conviction \
                icd dx comorbidity symptom symptoms outcome cause drugs cancer",
};

pub(super) const GERMAN: Words = Words {
    people: "patient patienten patientin person personen kunde kunden mitarbeiter versicherte \
             versicherter versicherten schuler student studenten teilnehmer mitglied benutzer \
             proband probanden arzt halter inhaber",
    names: "name namen nachname vorname vornamen familienname rufname zuname geburtsname \
            madchenname benutzername spitzname",
    numbers: "id kennung nummer nr kennziffer kennzahl schlussel",
    identifiers: "email mail telefon telefonnummer telefonnr handy handynummer mobil fax adresse \
                  anschrift strasse hausnummer hausnr steuerid steuernummer sozialversicherung \
                  sozialversicherungsnummer svnr versichertennummer krankenversichertennummer \
                  personalausweis ausweis ausweisnummer reisepass konto kontonummer kennzeichen \
                  unterschrift personalnummer matrikelnummer aktenzeichen",
    places: "plz postleitzahl ort wohnort stadt gemeinde landkreis kreis bundesland land region \
             bezirk stadtteil dorf ortschaft krankenhaus klinik schule standort zentrum station abteilung",
    things: "datei produkt artikel medikament firma spalte feld tabelle gruppe klasse auftrag \
             projekt studie haushalt marke verein",
    quasi: "alter lebensalter geschlecht geschl weiblich mannlich verheiratet geburtsdatum geburtstag geburtsjahr geburtsort geburt \
            geboren tod todesdatum sterbedatum gestorben verstorben erkrankungsbeginn \
            erkrankungsdatum symptombeginn aufnahme aufnahmedatum entlassung entlassungsdatum \
            rasse herkunft ethnie nationalitat staatsangehorigkeit familienstand zivilstand \
            bildung schulabschluss abschluss ausbildung beruf arbeitgeber branche tatigkeit \
            korpergrosse muttersprache kinder kinderzahl haushaltsgrosse",
    sensitive: "diagnose diagnosen krankheit erkrankung gehalt lohn einkommen verdienst religion \
                konfession medikation behandlung schulden behinderung schwanger schwangerschaft \
                partei straftat todesursache befund",
};

pub(super) const FRENCH: Words = Words {
    people: "patient patiente personne client cliente assure assuree eleve etudiant employe \
             salarie membre utilisateur participant adherent medecin famille usage naissance",
    names: "nom noms prenom prenoms nomfamille patronyme surnom nomusage nomnaissance",
    numbers: "id identifiant numero num no matricule",
    identifiers: "courriel email mail telephone tel portable mobile fax adresse rue voie nir \
                  securitesociale numsecu secu passeport carteidentite cni rib compte \
                  immatriculation signature ipp",
    places: "cp codepostal commune ville village hameau departement region pays canton quartier insee hopital \
             clinique ecole site centre",
    things: "fichier produit article medicament entreprise societe colonne champ groupe classe \
             commande projet etude menage marque",
    quasi: "age sexe genre naissance datenaissance anneenaissance lieunaissance ne nee deces \
            datedeces mort debutsymptomes admission entree sortie origine ethnie nationalite \
            situationfamiliale etatcivil matrimonial diplome etudes education niveauetudes \
            profession metier emploi csp employeur secteur taille enfants langue",
    sensitive: "diagnostic maladie pathologie affection salaire revenu revenus remuneration \
                traitement religion dette dettes handicap grossesse enceinte parti causedeces",
};

pub(super) const SPANISH: Words = Words {
    people: "paciente persona cliente clienta asegurado asegurada alumno alumna estudiante \
             empleado trabajador miembro usuario participante medico completo",
    names: "nombre nombres apellido apellidos nombrecompleto apodo",
    numbers: "id identificador numero num folio expediente",
    identifiers: "correo correoelectronico email telefono tel movil celular fax direccion domicilio \
                  calle dni nie nif curp rfc cedula rut pasaporte seguridadsocial nss cuenta \
                  matricula firma historiaclinica",
    places: "cp codigopostal municipio ciudad provincia comunidad region pais distrito barrio \
             localidad poblacion aldea pueblo estado hospital clinica escuela sede centro",
    things: "archivo producto articulo medicamento empresa columna campo grupo clase pedido \
             proyecto estudio hogar marca",
    quasi: "edad sexo genero nac fecnac nacimiento fechanacimiento anonacimiento lugarnacimiento nacido \
            fallecimiento fechafallecimiento defuncion fechadefuncion muerte inicio \
            iniciosintomas ingreso fechaingreso alta raza etnia nacionalidad estadocivil \
            educacion estudios escolaridad niveleducativo ocupacion profesion empleo oficio \
            empleador estatura hijos idioma",
    sensitive: "diagnostico enfermedad salario sueldo ingresos renta religion tratamiento \
                medicacion deuda discapacidad embarazo embarazada partido delito causamuerte",
};

pub(super) const ITALIAN: Words = Words {
    people: "paziente persona cliente assicurato assicurata alunno studente dipendente lavoratore \
             membro utente partecipante medico",
    names: "nome nomi cognome cognomi nominativo soprannome",
    numbers: "id identificativo numero num matricola",
    identifiers: "email posta telefono tel cellulare fax indirizzo civico codicefiscale cf passaporto \
                  cartaidentita tesserasanitaria conto targa firma",
    places: "cap codicepostale comune citta provincia regione paese nazione stato quartiere \
             ospedale clinica scuola sede centro",
    things: "file prodotto articolo farmaco azienda ditta colonna campo gruppo classe ordine \
             progetto studio famiglia marca",
    quasi: "eta sesso genere nascita datanascita annonascita luogonascita nato nata decesso \
            datadecesso morte esordio datainizio ricovero dataricovero dimissione razza etnia \
            nazionalita cittadinanza statocivile istruzione titolostudio titolodistudio \
            occupazione professione lavoro mestiere statura figli lingua",
    sensitive: "diagnosi malattia patologia stipendio salario reddito religione trattamento \
                terapia debito disabilita gravidanza partito reato causamorte",
};

pub(super) const DUTCH: Words = Words {
    people: "patient persoon klant verzekerde leerling student medewerker werknemer lid gebruiker \
             deelnemer arts",
    names: "naam namen achternaam voornaam voornamen familienaam roepnaam meisjesnaam \
            gebruikersnaam bijnaam",
    numbers: "id kenmerk nummer nr",
    identifiers: "email mail telefoon telefoonnummer mobiel gsm fax adres straat straatnaam \
                  huisnummer huisnr bsn burgerservicenummer sofinummer paspoort identiteitskaart \
                  rekening rekeningnummer kenteken handtekening rijksregisternummer patientnummer",
    places: "postcode woonplaats plaats stad gemeente provincie regio land wijk buurt dorp ziekenhuis \
             kliniek school locatie afdeling",
    things: "bestand product artikel medicijn bedrijf kolom veld groep klasse bestelling project \
             studie huishouden merk",
    quasi: "leeftijd geslacht geboortedatum geboortejaar geboorteplaats geboren geboorte \
            overlijden overlijdensdatum overleden sterfdatum ziektebegin eersteziektedag opname \
            opnamedatum ontslag ras etniciteit herkomst nationaliteit burgerlijkestaat opleiding \
            onderwijs beroep werkgever functie lengte kinderen taal",
    sensitive: "diagnose ziekte aandoening salaris loon inkomen religie geloof godsdienst \
                behandeling medicatie schuld handicap zwanger zwangerschap partij misdrijf \
                doodsoorzaak",
};

pub(super) const PORTUGUESE: Words = Words {
    people: "paciente pessoa cliente segurado segurada aluno aluna estudante funcionario \
             trabalhador membro usuario utente participante medico mae pai",
    names: "nome nomes sobrenome apelido nomecompleto",
    numbers: "id identificador numero num matricula prontuario",
    identifiers: "email correio telefone tel celular telemovel fax endereco morada rua logradouro \
                  cpf rg cns nif nis passaporte cartaocidadao conta placa assinatura",
    places: "cep codigopostal municipio cidade uf concelho distrito freguesia regiao pais bairro aldeia vila \
             provincia hospital clinica escola unidade",
    things: "arquivo ficheiro produto artigo medicamento empresa coluna campo grupo classe pedido \
             projeto estudo domicilio marca",
    quasi: "idade sexo genero nasc dtnasc nascimento datanascimento anonascimento naturalidade nascido obito \
            dataobito morte falecimento inicio iniciosintomas internacao datainternacao alta raca \
            etnia nacionalidade estadocivil escolaridade educacao instrucao ocupacao profissao \
            emprego trabalho altura filhos idioma",
    sensitive: "diagnostico doenca salario renda rendimento religiao tratamento medicacao divida \
                deficiencia gravidez gravida gestante partido crime causamorte",
};

/// Words that announce the weights of a survey, in any language.
pub(super) const WEIGHTS: &str = "fnlwgt wgt pweight perwt hhwt fweight sampleweight \
                                  samplingweight surveyweight finalweight personweight \
                                  designweight weighting gewichtung hochrechnungsfaktor \
                                  gewichtungsfaktor hochrechnungsgewicht designgewicht \
                                  gewichtsfactor gewichtsfaktor wegingsfactor weegfactor weging \
                                  steekproefgewicht ponderation facteurponderation \
                                  coefficientponderation coeffponderation poidssondage \
                                  poidsechantillon ponderacion factorponderacion \
                                  factorexpansion fexp pesomuestral pesosmuestrales \
                                  pesocampionario pesocampione fatorexpansao pesoexpansao \
                                  ponderacao pesoamostral pesoamostra";

/// Words that announce coordinates, in any language.
pub(super) const COORDINATES: &str = "lat latitude lon lng long longitude latlng latlon coord \
                                      coords coordinates gps geo breitengrad langengrad latitud \
                                      longitud latitudine longitudine breedtegraad lengtegraad \
                                      coordonnees coordenadas coordinate koordinaten";

/// Short words between the words of a name: `date_de_naissance`.
pub(super) const FILLERS: &str = "de da do del della di des du la le el der die das des van het of \
                                  the and e et y und d l";

/// Words for a date or a year in front of an event: `fecha_nacimiento`.
pub(super) const DATES: &str = "date datum fecha data dt jour dia year jahr annee ano anno jaar";

/// Words for an age or a date, in front of or after an event: `age_at_diagnosis`.
pub(super) const TIMES: &str = "age alter edad eta idade leeftijd date datum fecha data year yr month \
                                day jahr monat tag annee mois mes ano anno mese jaar maand";

/// Words for a birth, which make a date one that others know.
pub(super) const BIRTHS: &str = "birth birthdate birthday dob born bday bdate bdat bdt bdte bthdate bthdt \
                                 bthday brthdt brthdat brthdate brthdte brthday birthdt birthdat \
                                 birthdte birthd birthymd dtbirth dtofbirth dtob dateofbirth ddn fnac \
                                 fnacim fechanacim dnasc dtnac dnascita gebdt geburtsdat gebtag gdatum \
                                 geburtsdatum geburtstag geburt \
                                 geboren geb gebdat gebdatum naissance datenaissance ne nee \
                                 nacimiento fechanacimiento nacido nascita datanascita nato nata \
                                 nascimento datanascimento nascido geboorte geboortedatum urodzenia \
                                 narozeni narozen nac nasc fecnac fechanac dtnasc datanasc dataur \
                                 szuletesi szuletes nasterii nastere fodelsedatum \
                                 fodd fodelsedag fodselsdato fodselsdag fodt syntymaaika dogum \
                                 dogumtarihi γεννησησ γεννηση рождения рождение народження الميلاد ميلاد \
                                 생년월일 생일 生年月日 誕生日 出生日期 出生年月日 出生年月 生日 ngaysinh";

/// Those that mean the date of a birth without another word, and words for a date to the day.
pub(super) const BIRTHDATES: &str = "birthdate dob bday bdate bdat bdt bdte bthdate bthdt brthdt brthdat \
                                     brthdate brthdte birthdt birthdat birthdte birthymd dtbirth \
                                     dtofbirth dtob dateofbirth ddn fnac dtnac gebdt geburtsdat \
                                     geburtsdatum gebdat gebdatum datenaissance \
                                     fechanacimiento datanascita datanascimento geboortedatum fecnac \
                                     fechanac dtnasc datanasc dataur fodelsedatum fodselsdato \
                                     syntymaaika dogumtarihi 생년월일 生年月日 出生日期 出生年月日 ngaysinh";
pub(super) const FULL_DATES: &str = "date datum fecha data dt dat tarihi дата تاريخ";

/// Words that turn a name into one of a measurement: the minutes of a phone, the balance of an
/// account.
pub(super) const MEASURES: &str = "count counts minutes mins seconds secs hours hrs days weeks months \
                                   years length len balance percent percentage pct perc ratio rate \
                                   clicks calls visits score rating total amount sum average avg mean \
                                   median limit duration size frequency freq";

/// Words for opinions and grades, which others do not know even if they are about a job.
pub(super) const OPINIONS: &str = "satisfaction involvement rating score index";

/// First words of counts.
pub(super) const COUNTS: &str = "num n nb number count anzahl";

/// Words for the members of a household that are counted, which others know.
pub(super) const COUNTED: &str = "children kids kinder enfants hijos figli kinderen filhos";

/// Words for the time that something took, or when it began and ended.
pub(super) const DURATIONS: &str = "time futime followup fup fu survival survtime stime duration days \
                                    day weeks months years tstart tstop start stop los stay tenure \
                                    elapsed since until dauer zeit duree duracion durata duur duracao";

/// Words that mean something else in most names of other languages: they count alone or with words
/// for dates.
pub(super) const AMBIGUOUS: &str = "mort ne nee alta cap land alter ras ad adi nume nev";

/// Words for the name of anything: of a person, unless another word names a thing.
pub(super) const PLAIN_NAMES: &str = "name names nom noms nombre nombres nome nomi naam namen nimi \
                                      namn navn nazwa nazev имя назва adi";

/// Words in front of a number that belongs to a group of people, or to a part of their records.
pub(super) const GROUPS: &str = "family household pair set cluster stratum couple litter twin group \
                                 visit encounter admission episode claim sample specimen session \
                                 transaction invoice stay haushalt famille familia famiglia gezin";

/// Words for a code or a reference, which is the number of a person next to a word for one.
pub(super) const CODES: &str = "code codes ref reference kode kod codigo cod codice";

/// Words for a person that only say that something has a number.
pub(super) const UNSURE: &str = "case first last full given family middle maiden legal birth nick";
