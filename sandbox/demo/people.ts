/** Fictional names, towns and phone numbers. */
import type { Chance } from "../chance";

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly city: string;
  readonly state: string;
  readonly zipcode: string;
}

export function person(chance: Chance): Person {
  const firstName = chance.pick(FIRST);
  const lastName = chance.pick(LAST);
  const [city, state, zipcode, area] = chance.pick(TOWNS);
  return {
    firstName,
    lastName,
    email: `${firstName}.${lastName}@example.com`.toLowerCase(),
    phone: `+1${area}55501${String(chance.whole(0, 99)).padStart(2, "0")}`,
    city,
    state,
    zipcode,
  };
}

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

const FIRST = wordsOf(`
  Ada Amir Beatriz Caleb Chen Dalia Diego Elena Emeka Farah Felix Grace Hana Hugo Imani Ivan Jonas
  Kavya Leo Lucia Mateo Mei Nadia Noah Omar Priya Rosa Samir Sofia Tomas Uma Victor Wanda Yusuf Zoe
`);

const LAST = wordsOf(`
  Abara Bauer Castillo Dubois Eriksen Fontaine Garcia Hughes Ito Jansen Kowalski Larsen Mbeki Novak
  Okafor Petrov Quinn Rossi Silva Tanaka Usman Vargas Weber Young
`);

const TOWNS = [
  ["Albany", "NY", "12207", "518"],
  ["Austin", "TX", "78701", "512"],
  ["Boise", "ID", "83702", "208"],
  ["Columbus", "OH", "43215", "614"],
  ["Denver", "CO", "80202", "303"],
  ["Portland", "OR", "97204", "503"],
  ["Raleigh", "NC", "27601", "919"],
  ["Tucson", "AZ", "85701", "520"],
] as const;
