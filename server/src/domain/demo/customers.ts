// The customers of the demo data: who they are, what they bought and when, how much of it they use, and what befell them.
import type { DemoPlan } from './company.ts'

/** `trial`: has not paid yet; `leaving`: ends with its period; `gone`: ended; `failing`: its last payment did not go through. */
export type DemoStanding = 'trial' | 'leaving' | 'gone' | 'failing'

export type DemoBonus = {
  featureKey: string
  amount: number
  reason: string
  /** Without it, it stays open. */
  expiresInDays?: number
}

export type DemoCustomer = {
  customerId: string
  name: string
  email: string
  plan: DemoPlan
  /** Since when it is a customer. */
  daysAgo: number
  /** How much of its limit of API calls it has used in the current period. */
  share: number
  standing?: DemoStanding
  isYearly?: boolean
  /** Units of the add-on. */
  packs?: number
  bonuses?: readonly DemoBonus[]
}

type Details = Pick<DemoCustomer, 'standing' | 'isYearly' | 'packs' | 'bonuses'>

const of = (
  [customerId, name, email]: [customerId: string, name: string, email: string],
  plan: DemoPlan,
  daysAgo: number,
  share: number,
  details: Details = {},
): DemoCustomer => ({ customerId, name, email, plan, daysAgo, share, ...details })

const apology: DemoBonus = { featureKey: 'api_calls', amount: 5_000, reason: 'Sorry for Tuesday’s outage' }

// Those that are near or beyond their limits came about half a month before a day of this month, so that their period is neither
// new nor nearly over.
export const demoCustomers: readonly DemoCustomer[] = [
  of(['acme', 'Acme Corporation', 'road@acme.example'], 'free', 78, 0.94),
  of(['northbeam', 'Northbeam Analytics', 'ops@northbeam.example'], 'pro', 79, 0.97, { packs: 2 }),
  of(['harborlight', 'Harborlight Studio', 'mia@harborlight.example'], 'starter', 80, 1.18, {
    bonuses: [{ featureKey: 'api_calls', amount: 1_500, reason: 'Launch week' }],
  }),
  of(['fernandgrove', 'Fern & Grove', 'hello@fernandgrove.example'], 'starter', 47, 0.91),
  of(['tessellate', 'Tessellate Labs', 'billing@tessellate.example'], 'pro', 48, 1.06, {
    bonuses: [{ ...apology, amount: 12_000 }],
  }),
  of(['quillworks', 'Quillworks', 'finance@quillworks.example'], 'starter', 76, 0.62, {
    bonuses: [{ ...apology, expiresInDays: 3 }],
  }),
  of(['bluefinch', 'Blue Finch Robotics', 'it@bluefinch.example'], 'pro', 190, 0.71, { isYearly: true }),
  of(['meridian', 'Meridian Health', 'platform@meridian.example'], 'enterprise', 420, 0.58),
  of(['copperline', 'Copperline Logistics', 'api@copperline.example'], 'enterprise', 260, 0.83),
  of(['saltmarsh', 'Saltmarsh Foods', 'orders@saltmarsh.example'], 'free', 82, 1.24),
  of(['oakpress', 'Oak Press', 'editor@oakpress.example'], 'starter', 51, 0.35, { standing: 'leaving' }),
  of(['vantagepoint', 'Vantage Point Travel', 'team@vantagepoint.example'], 'pro', 84, 0.44, {
    standing: 'failing',
  }),
  of(['lumenlight', 'Lumenlight Education', 'admin@lumenlight.example'], 'pro', 9, 0.22, {
    standing: 'trial',
  }),
  of(['driftwood', 'Driftwood Games', 'studio@driftwood.example'], 'starter', 88, 0.41, { standing: 'gone' }),
  of(['kitehill', 'Kite Hill Ventures', 'office@kitehill.example'], 'free', 64, 0.18),
  of(['palisade', 'Palisade Security', 'soc@palisade.example'], 'pro', 150, 0.66, { isYearly: true }),
  of(['marigold', 'Marigold Flowers', 'shop@marigold.example'], 'free', 19, 0.52),
  of(['ironbridge', 'Ironbridge Engineering', 'cad@ironbridge.example'], 'starter', 72, 0.57),
  of(['cloudberry', 'Cloudberry Hosting', 'noc@cloudberry.example'], 'pro', 81, 0.88, { packs: 1 }),
  of(['silverpine', 'Silverpine Legal', 'partners@silverpine.example'], 'starter', 33, 0.29),
  of(['junipertea', 'Juniper Tea Co.', 'hi@junipertea.example'], 'free', 45, 0.37),
  of(['atlasfreight', 'Atlas Freight', 'dispatch@atlasfreight.example'], 'enterprise', 320, 0.47),
  of(['redwoodbio', 'Redwood Bio', 'lab@redwoodbio.example'], 'pro', 58, 0.53),
  of(['pixelharbor', 'Pixel Harbor', 'art@pixelharbor.example'], 'starter', 21, 0.74),
  of(['stonegate', 'Stonegate Properties', 'leasing@stonegate.example'], 'free', 70, 0.26),
  of(['brightloom', 'Brightloom Textiles', 'weave@brightloom.example'], 'starter', 66, 0.48),
  of(['nimbusfly', 'Nimbus Aviation', 'crew@nimbusfly.example'], 'pro', 39, 0.31),
  of(['applecart', 'Apple Cart Grocers', 'till@applecart.example'], 'free', 12, 0.61),
  of(['fjordline', 'Fjordline Ferries', 'booking@fjordline.example'], 'starter', 54, 0.82),
  of(['tidepool', 'Tidepool Aquatics', 'dive@tidepool.example'], 'free', 86, 0.09),
  of(['emberworks', 'Emberworks Ceramics', 'kiln@emberworks.example'], 'free', 27, 0.44),
  of(['granitefin', 'Granite Financial', 'risk@granitefin.example'], 'enterprise', 510, 0.72),
  of(['solstice', 'Solstice Energy', 'grid@solstice.example'], 'pro', 110, 0.79, { isYearly: true }),
  of(['wrenhouse', 'Wren House Publishing', 'rights@wrenhouse.example'], 'starter', 15, 0.33),
  of(['cobaltcycle', 'Cobalt Cycles', 'service@cobaltcycle.example'], 'free', 26, 0.7),
  of(['mapletrail', 'Maple Trail Outfitters', 'gear@mapletrail.example'], 'starter', 57, 0.64, {
    bonuses: [{ featureKey: 'ai_credits', amount: 12.5, reason: 'Thanks for the review' }],
  }),
  of(['lanternfish', 'Lanternfish Media', 'desk@lanternfish.example'], 'free', 6, 0.21),
  of(['orchardway', 'Orchardway School District', 'it@orchardway.example'], 'pro', 74, 0.39),
  of(['zephyrcargo', 'Zephyr Cargo', 'fleet@zephyrcargo.example'], 'starter', 43, 0.55),
  of(['papercrane', 'Paper Crane Design', 'fold@papercrane.example'], 'free', 3, 0.12),
]
