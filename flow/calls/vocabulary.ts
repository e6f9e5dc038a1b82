/**
 * Word lists of the tracer, by language: stop words, suffixes to strip, words that every phone call has, and groups of
 * words that mean the same on the phone. The sandbox, which generates calls, shares none of them.
 */

export interface Vocabulary {
  readonly stop: ReadonlySet<string>;
  /** Suffixes that are removed, longest first. */
  readonly suffixes: readonly string[];
  /** Words that calls of any flow contain, so they say little about which flow it is. */
  readonly common: readonly string[];
  /** Each line is one group of synonyms. */
  readonly synonyms: readonly string[];
  /** Words an assistant uses where a node of this type has no instructions of its own. */
  readonly closing: string;
  readonly handover: string;
  readonly waiting: string;
  readonly refusal: string;
  readonly digits: readonly string[];
}

const list = (words: string): readonly string[] => words.split(/\s+/);
const set = (words: string): ReadonlySet<string> => new Set(list(words));

const english: Vocabulary = {
  stop: set(
    `a an the and or but if then else of to in on at by for from with about into over after before as is are was were be been
being am do does did have has had having will would shall should can could may might must i me my we us our you your yours he
him his she her it its they them their this that these those there here what which who whom whose when where why how so than
too very just also again please let lets s t d ll re ve m im id youre ive dont caller callers say says said tell tells ask asks
asked asking told want wants wanted like needs need get got give gives any some all one out up down off not no yes oh uh um er
ah well okay ok hi hello hey`,
  ),
  suffixes: list("ations ation ments ment ings ing ies ied ers er ed es ly al s e y"),
  common: list(
    `help thank thanks call calling today moment second minute number name problem question sorry good great welcome
account customer information detail service know check look confirm repeat understand assist speak phone bye goodbye
day nice sure right correct fine line hold happy team able anything else something make take`,
  ),
  synonyms: [
    "bill invoice charge charged billing",
    "cancel cancellation terminate quit stop end leave",
    "appointment booking reservation slot visit",
    "book reserve schedule arrange",
    "phone telephone mobile cell",
    "person human agent representative colleague operator someone staff advisor specialist",
    "connect transfer forward put through hand handover",
    "price cost fee rate amount much expensive pay",
    "pay payment paid settle",
    "broken fault faulty defect defective damaged fail failing failed working works malfunction",
    "outage down interruption disruption dead offline",
    "date day when time",
    "change modify update alter switch",
    "move moving relocate relocation",
    "address street home house live",
    "delivery deliver shipping shipment parcel package ship",
    "order purchase bought buy",
    "refund reimburse money back",
    "return send back",
    "complaint complain unhappy dissatisfied upset angry annoyed",
    "urgent emergency immediately asap right away",
    "delay late delayed overdue",
    "lost missing stolen misplaced gone",
    "email mail e-mail",
    "doctor physician practitioner",
    "reason why cause because",
    "name called surname",
    "birth birthday born",
    "ticket case report reference",
    "card debit credit",
    "sick ill unwell illness",
    "child kid son daughter",
    "car vehicle auto",
    "table seat place",
    "people guests persons party many",
    "open opening hours",
    "other another different else",
    "later callback back",
    "message note word",
    "identity verify verification identify identification authenticate",
    "yes yeah yep sure correct right okay ok agree agrees agreed confirm confirms accept accepts fine absolutely definitely",
    "no nope not decline declines refuse refuses deny denies reject rejects never don't won't nothing",
    "goodbye bye farewell",
    "explain describe information info details",
    "offer suggest propose deal",
    "contract agreement subscription plan tariff membership",
    "balance open outstanding owed due",
    "read repeat back",
    "password pin code",
    "search find look locate",
    "unknown unsure forgot forgotten remember idea",
  ],
  closing: "goodbye bye thank calling day care",
  handover: "transfer connect colleague hold line person",
  waiting: "moment second check look wait hold",
  refusal: "don't know not sure forgot remember have haven't skip rather idea hand find lost no never mind",
  digits: list("zero one two three four five six seven eight nine"),
};

const german: Vocabulary = {
  stop: set(
    `der die das den dem des ein eine einen einem einer eines und oder aber wenn dann als zu zum zur in im ins an am auf aus bei
mit nach von vom vor für über unter um durch ohne gegen ist sind war waren sein bin bist hat haben habe hatte wird werden würde
kann können könnte soll sollte muss müssen darf ich mich mir mein meine meinen meiner du sie er es wir uns unser ihr ihre ihren
ihrer ihnen ihm man sich dies diese dieser dieses dass was wer wie wo wann warum welche welcher welches nicht kein keine ja nein
auch nur noch schon sehr so bitte mal doch da hier also äh ähm hallo anrufer anruferin anrufende sagen sagt fragen frage fragt
will wollen möchte möchten nennen sage frag`,
  ),
  suffixes: list("ungen heiten keiten ung heit keit lich isch ern em en er es st te e n s t"),
  common: list(
    "hilfe helfen danke anruf moment nummer name problem frage leider gut willkommen kunde kundin tag gern gerne telefon wiederhören tschüss auskunft",
  ),
  synonyms: [
    "rechnung betrag kosten gebühr",
    "kündigen kündigung beenden",
    "termin zeitpunkt datum tag",
    "mitarbeiter mensch person kollege kollegin mitarbeiterin",
    "verbinden weiterleiten durchstellen übergeben",
    "ja genau richtig stimmt gern einverstanden bestätigt zustimmen stimmt",
    "nein nicht kein lehnt ablehnen falsch",
    "kaputt defekt störung ausfall funktioniert geht",
    "paket sendung lieferung",
    "auto fahrzeug wagen kfz",
    "anschrift adresse straße",
    "unfall schaden",
    "schmerzen schmerz weh",
    "umzug umziehen",
  ],
  closing: "wiederhören tschüss danke anruf tag",
  handover: "verbinden weiterleiten kollegen leitung",
  waiting: "moment augenblick schaue prüfe",
  refusal: "weiß nicht keine ahnung vergessen habe nicht finde egal",
  digits: list("null eins zwei drei vier fünf sechs sieben acht neun"),
};

const french: Vocabulary = {
  stop: set(
    `le la les l un une des du de d et ou mais si alors à au aux en dans sur sous par pour avec sans chez vers est sont était être
suis es a ai as ont avoir avait sera peut peuvent pouvez pourrait doit je me moi mon ma mes tu te toi il elle on nous notre nos
vous votre vos ils elles leur leurs ce cet cette ces ça cela que qui quoi quel quelle quels quelles quand où comment pourquoi ne
pas plus non oui très aussi encore bien s'il plaît euh bonjour allô appelant appelante appelants dire dit dites demander demande
demandez veut souhaite voudrais c j m n s t qu`,
  ),
  suffixes: list("ations ation ements ement ments ment euses euse eurs eur ées ée és er ez ent ir es s é e"),
  common: list(
    "aide aider merci appel moment numéro nom problème question désolé bon bienvenue client journée plaisir téléphone revoir",
  ),
  synonyms: [
    "facture montant prix coût tarif",
    "annuler annulation résilier résiliation",
    "rendez-vous créneau date jour",
    "conseiller personne collègue agent humain",
    "transférer passer mettre relation",
    "oui d'accord exact accepte confirme parfait volontiers",
    "non refuse pas jamais",
    "panne cassé défaut marche fonctionne",
    "retard retardé",
    "colis livraison",
    "enfant fils fille",
  ],
  closing: "revoir merci journée appel",
  handover: "transférer passer collègue ligne",
  waiting: "instant moment vérifie patientez",
  refusal: "sais pas oublié aucune idée trouve",
  digits: list("zéro un deux trois quatre cinq six sept huit neuf"),
};

const spanish: Vocabulary = {
  stop: set(
    `el la los las lo un una unos unas y o pero si entonces de del a al en con por para sin sobre entre hasta desde es son era ser
soy está están estar ha han he haber había será puede pueden puedo podría debe yo me mi mis tú te ti su sus él ella nosotros nos
nuestro usted ustedes le les se este esta estos estas eso esto ese esa que qué quien quién cual cuál cuando cuándo donde dónde
como cómo porqué no sí muy también ya más bien favor eh hola llamante persona llama decir diga dice preguntar pregunta pregunte
quiere desea quisiera`,
  ),
  suffixes: list(
    "aciones ación amientos amiento mente ciones ción ando iendo ados adas ado ada ar er ir es os as o a e s",
  ),
  common: list(
    "ayuda ayudar gracias llamada momento número nombre problema pregunta siento bueno bienvenido cliente día gusto teléfono adiós",
  ),
  synonyms: [
    "factura importe precio coste tarifa",
    "cancelar cancelación anular baja",
    "cita reserva turno hora fecha día",
    "agente persona compañero humano operador",
    "transferir pasar conectar comunicar",
    "sí claro correcto acepta confirma vale acuerdo exacto",
    "no rechaza nunca tampoco",
    "avería roto fallo funciona",
    "retraso tarde",
    "hijo hija niño",
    "coche vehículo taxi",
  ],
  closing: "adiós gracias llamada día",
  handover: "transferir pasar compañero línea",
  waiting: "momento segundo compruebo espere",
  refusal: "sé no olvidado idea encuentro recuerdo",
  digits: list("cero uno dos tres cuatro cinco seis siete ocho nueve"),
};

/** For scripts and languages without a list: nothing is stripped. */
const other: Vocabulary = {
  stop: new Set(),
  suffixes: [],
  common: [],
  synonyms: [],
  closing: "",
  handover: "",
  waiting: "",
  refusal: "",
  digits: [],
};

/** The vocabulary whose stop words occur most often in a string. */
export function vocabularyOf(text: string): Vocabulary {
  const words =
    text
      .slice(0, 50_000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  let best = other;
  let most = words.length * 0.08;
  for (const each of [english, german, french, spanish]) {
    let count = 0;
    for (const word of words) if (each.stop.has(word)) count++;
    if (count > most) [best, most] = [each, count];
  }
  return best;
}
