import type { Random } from './random.ts'

/** First and last name, and the mailbox for a name that cannot be one. */
type Name = readonly [first: string, last: string, mailbox?: string]

const names: readonly Name[] = [
  ['Hannah', 'Whitlock'],
  ['Marcus', 'Oyelaran'],
  ['Siobhán', "O'Driscoll", 'siobhan.odriscoll'],
  ['José María', 'Fernández-Ruiz', 'jm.fernandez'],
  ['Zoë', 'Vandenberghe', 'zoe.vdb'],
  ['Ayşe', 'Yıldırım', 'ayse.yildirim'],
  ['Łukasz', 'Wójcik', 'lukasz.wojcik'],
  ['明', '山田', 'akira.yamada'],
  ['小芳', '陈', 'xiaofang.chen'],
  ['지우', '김', 'jiwoo.kim'],
  ['ליאור', 'אברהמי', 'lior.avrahami'],
  ['ليلى', 'حداد', 'layla.haddad'],
  ['Nguyễn', 'Thị Hương', 'huong.nguyen'],
  ['Renée', 'Dubois-Lacroix', 'renee.dubois'],
  ['Björk', 'Sæmundsdóttir', 'bjork.saem'],
  ["D'Andre", "L'Heureux", 'dandre.lheureux'],
  ['Priya', 'Raghunathan'],
  ['Theo 🥂', 'Marchetti', 'theo.marchetti'],
  ['Kwame', 'Asante'],
  ['Олена', 'Ковальчук', 'olena.kovalchuk'],
  ['Margaret Elizabeth Anne-Marie', 'Featherstonehaugh-Cholmondeley', 'meam.fc'],
  ['Bo', 'Ek', 'bo.ek'],
  ['Imani', 'Brooks'],
  ['Daniel', 'Kowalczyk'],
  ['Grace', 'Liu'],
  ['Tomás', 'Ó Briain', 'tomas.obriain'],
  ['Fatima', 'El-Sayed', 'fatima.elsayed'],
  ['Peter', 'Nakagawa'],
  ['Chiara', 'Bellandi'],
  ['Owen', 'Prichard'],
  ['Rosalind', 'Achterberg'],
  ['Jamal', 'Whitfield'],
  ['Ingrid', 'Åkesson', 'ingrid.akesson'],
  ['Mateo', 'Quiroga'],
  ['Beatrix', 'Lindhurst'],
  ['Samir', 'Pradhan'],
  ['Eleni', 'Papadakis'],
  ['Wes', 'Tolliver'],
  ['Yuki', 'Hoshino'],
  ['Carmen', 'Villalobos'],
  ['Abigail', 'Strand'],
  ['Dmitri', 'Volkonsky'],
  ['Nadia', 'Ben Amor', 'nadia.benamor'],
  ['Felix', 'Grünwald', 'felix.gruenwald'],
]

export interface Person {
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly phone_number: string
}

export function pickPerson(random: Random, areaCode: string): Person {
  const [first, last, mailbox] = random.pick(names)
  return {
    first_name: first,
    last_name: last,
    email: `${mailbox ?? `${first}.${last}`.toLowerCase()}@mail.test`,
    phone_number: `+1${areaCode}55501${random.digits(2)}`,
  }
}

export interface Place {
  readonly street_1: string
  readonly street_2: string | null
  readonly street_3?: string | null
  readonly city: string
  readonly state: string
  readonly zipcode: string
}

type PlaceRow = readonly [street: string, unit: string, city: string, state: string, zip: string]

/** Places within reach of the shop's own drivers. */
const aroundTheShop: Readonly<Record<string, readonly PlaceRow[]>> = {
  demo: [
    ['88 Greenwich Street', 'Apt 14C', 'New York', 'NY', '10006'],
    ['145 Pearl Street', '', 'New York', 'NY', '10005'],
    ['410 Grand Street', 'Apt 7', 'New York', 'NY', '10002'],
    ['33 Bond Street', 'Unit 22B', 'Brooklyn', 'NY', '11201'],
    ['501 Hicks Street', '', 'Brooklyn', 'NY', '11231'],
    ['77 Sullivan Street', 'Floor 3', 'New York', 'NY', '10012'],
    ['260 West Broadway', 'Penthouse', 'New York', 'NY', '10013'],
    ['19 Cheever Place', '', 'Brooklyn', 'NY', '11231'],
    ['350 Albany Street', 'Apt 9D', 'New York', 'NY', '10280'],
    ['92 Orchard Street', 'Buzzer 4 (not 5!)', 'New York', 'NY', '10002'],
  ],
  other: [
    ['455 Valencia Street', 'Apt 3', 'San Francisco', 'CA', '94103'],
    ['1201 Guerrero Street', '', 'San Francisco', 'CA', '94110'],
    ['88 Hoff Street', 'Unit 210', 'San Francisco', 'CA', '94110'],
    ['3641 Twenty-Fourth Street', '', 'San Francisco', 'CA', '94110'],
    ['72 Cumberland Street', 'Garden flat', 'San Francisco', 'CA', '94110'],
    ['500 Precita Avenue', '', 'San Francisco', 'CA', '94110'],
  ],
}

const anywhere: readonly PlaceRow[] = [
  ['1420 Larkspur Lane', '', 'Saratoga Springs', 'NY', '12866'],
  ['9 Quarry Hill Road', 'Unit B', 'Rhinebeck', 'NY', '12572'],
  ['2816 Elmwood Avenue', '', 'Buffalo', 'NY', '14217'],
  ['611 South Plum Street', 'Apt 2', 'Ithaca', 'NY', '14850-4412'],
  ['305 Bayview Terrace', '', 'Hoboken', 'NJ', '07030'],
  ['47 Old Mill Lane', '', 'Princeton', 'NJ', '08540'],
  ['1180 Peachtree Walk', 'Suite 400, c/o Front Desk', 'Atlanta', 'GA', '30309'],
  ['725 Rio Grande Street', '', 'Austin', 'TX', '78701'],
  ['230 Camino Alto', '', 'Mill Valley', 'CA', '94941'],
  ['5566 Hollyhock Court', '', 'Sacramento', 'CA', '95816'],
  ['1900 Wazee Street', 'Loft 6', 'Denver', 'CO', '80202'],
  ['84 Commercial Street', '', 'Portland', 'ME', '04101'],
  ['3105 North Damen Avenue', 'Apt 1R', 'Chicago', 'IL', '60618'],
  ['17 Rue Royale', '', 'New Orleans', 'LA', '70130'],
  ['640 Peñasco Drive', '', 'Santa Fe', 'NM', '87501'],
  ['2200 Yesler Way', 'Apt 310', 'Seattle', 'WA', '98122'],
]

function toPlace([street, unit, city, state, zipcode]: PlaceRow): Place {
  return { street_1: street, street_2: unit === '' ? null : unit, city, state, zipcode }
}

export function pickLocalPlace(random: Random, merchantKey: string): Place {
  return toPlace(random.pick(aroundTheShop[merchantKey] ?? aroundTheShop['demo'] ?? anywhere))
}

export function pickPlaceAnywhere(random: Random): Place {
  return toPlace(random.pick(anywhere))
}
