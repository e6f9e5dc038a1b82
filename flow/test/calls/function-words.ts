const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/**
 * Articles, pronouns, auxiliaries, prepositions, conjunctions and greetings. Other verbs, nouns and adjectives are
 * left out, because they can be names or describe a person.
 */
export const functionWords = words(
  `a about after again all also an and any are as at be because been before but by can can't cannot could did didn't do does
doesn't don't for from had has have haven't he hello her here hi him his how i i'd i'll i'm i've if in into is isn't it it's
its me my no not now of off ok okay on only or our out please she should so some sorry than thank thanks that that's the
their them then there these they this those to too up us was wasn't we we're were what what's when where which who why with
without won't would wouldn't yes yet you you're your`,
);

/** A word of the flow is kept only after one of these, because a name has none: "the bill", but not "it was bill". */
export const determiners = words("a an any her his its my our some that the their these this those which your");

/** What follows these up to the next mark may be a name, even one like "An" or "So". */
export const introductions = words("am called i'm is it's me name name's named that's");

/** What a sentence of one or two words may consist of. Any other may be a name. */
export const shortAnswers = words("hello hi i'm it's no not now ok okay please sorry thank thanks that's yes yet you");

/** Numbers, months, days, and similar words: spoken, they're personal. They're removed even if the flow contains them. */
export const neverWords = words(
  `zero oh one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million double triple first second third fourth
fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth
nineteenth twentieth thirtieth january february march april may june july august september october november december monday
tuesday wednesday thursday friday saturday sunday street road avenue lane dot dash underscore hyphen null eins zwei drei vier
fünf sechs sieben acht neun zehn null un deux trois quatre cinq sept huit neuf dix uno dos tres cuatro cinco seis siete ocho
nueve diez`,
);
