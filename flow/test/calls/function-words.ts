/** Common words that reveal nothing about a person. Words that are also names, such as "will", aren't included. */
const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

export const functionWords = words(
  `a about after again all also an and any are as at be because been before but by can can't cannot could did didn't do does
doesn't doing don't for from get give go had has have haven't he hello help her here hi him his how i i'd i'll i'm i've if in
into is isn't it it's its just know let like make me more my need no not now of off ok okay on only or other our out please
right same see she should so some sorry tell thank thanks that that's the their them then there these they this those to too
up us want was wasn't we we're were what what's when where which who why with without won't would wouldn't wrong yes yet you
you're your`,
);

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
