// What the command line says of itself: the overview, and the help of each command.

type Help = { summary: string; text: string }

const remote = `Asks a running service: its address in --url or TOLLKEEPER_URL (http://localhost:4100 otherwise), a key in
TOLLKEEPER_API_KEY, which decides the environment.`

const helps: Record<string, Help> = {
  start: {
    summary: 'run the service',
    text: `tollkeeper start

Runs the service until it is told to stop (Ctrl-C, SIGTERM). Without DATABASE_URL it starts a PostgreSQL of its own in
DATA_DIR (.tollkeeper). All settings are environment variables, each also as NAME_FILE: PORT, HOST, PUBLIC_URL,
DATABASE_URL, DATA_DIR, TOLLKEEPER_SECRET, LOG_LEVEL and others; mistakes in them are reported all at once.`,
  },
  keys: {
    summary: 'make, list, rotate and revoke API keys',
    text: `tollkeeper keys create  --name NAME [--environment test|live] [--scope full|read] [--expires-in-days N]
tollkeeper keys list    [--environment test|live] [--json]
tollkeeper keys rotate  KEY_ID [--environment test|live] [--grace-hours 24]
tollkeeper keys revoke  KEY_ID [--environment test|live]

Works on the database of DATABASE_URL or DATA_DIR, also beside a running service. The environment is test unless given.
create and rotate print the key, once; the rotated one goes on for the hours of grace.`,
  },
  people: {
    summary: 'list, invite, remove and let in again who may use the dashboard',
    text: `tollkeeper people list
tollkeeper people invite EMAIL  [--role admin|member|read]
tollkeeper people link [EMAIL]
tollkeeper people role EMAIL    --role admin|member|read
tollkeeper people remove EMAIL

Works on the database of DATABASE_URL or DATA_DIR, also beside a running service. invite prints the link with which to
join; link prints one to join or for a new password, without EMAIL for the first admin.`,
  },
  demo: {
    summary: 'fill an empty test environment with demo data, or clear it again',
    text: `tollkeeper demo [--remove]

Works on the database of DATABASE_URL or DATA_DIR, also beside a running service. --remove takes the demo data away and
leaves alone what is in use.`,
  },
  audit: {
    summary: 'recompute all that is stored and compare',
    text: `tollkeeper audit [--json]

Recomputes every counter and bonus from the ledger, on the database of DATABASE_URL or DATA_DIR, and changes nothing.
Exit code 1 on any difference.`,
  },
  doctor: {
    summary: 'look at everything the service depends on',
    text: `tollkeeper doctor [--json]

Configuration, database, schema, clock, disk, the payment provider's keys and what they may read, its webhooks, and whether
PUBLIC_URL leads here: a line each, with what to do where something is wrong. It changes nothing. Exit code 1 when
anything failed.`,
  },
  pull: {
    summary: 'write types of the catalogue for the SDK, or the catalogue as a file',
    text: `tollkeeper pull              [--out tollkeeper.d.ts] [--check] [--url URL]
tollkeeper pull --catalogue  [--out tollkeeper.catalogue.ts] [--check] [--force] [--url URL]

Writes the keys of features and products as types, or the whole catalogue as a file for plan and push (.ts, or .json by
the name of --out). --check writes nothing and fails when the file is not current. --force writes over a catalogue that
differs. A key of scope read will do.

${remote}`,
  },
  plan: {
    summary: 'show how the running catalogue differs from a file',
    text: `tollkeeper plan [FILE] [--prune] [--new-versions] [--exit-code] [--json] [--url URL]

Shows what push would do, and does nothing. FILE is tollkeeper.catalogue.ts (or .mts, .js, .mjs, .json) unless given: it
exports \`catalogue\`, made with defineCatalogue of @tollkeeper/sdk/catalogue. What the file leaves out is left as it is.
Lines marked ! take something away: access, a part of a limit, usage sorted into other periods.

  --prune         archive features and products that the file does not name
  --new-versions  put changed access into a new version of the product: holders keep what they have
  --exit-code     exit code 3 when there are differences, for CI
  --json          one JSON object

${remote} A key of scope read will do.`,
  },
  push: {
    summary: 'make the running catalogue as a file says',
    text: `tollkeeper push [FILE] [--prune] [--new-versions] [--yes] [--json] [--url URL]

Shows the plan and does it, in an order in which nothing is missing meanwhile. Before something is taken away it asks;
where nobody can be asked it does nothing and fails, unless --yes is given. Doing it twice does nothing the second time.
Nothing is ever deleted; --prune archives what the file does not name.

  --prune, --new-versions, --json   as for plan
  --yes                             take away without asking

${remote}`,
  },
  import: {
    summary: 'import customers and usage from files or the payment provider',
    text: `tollkeeper import customers FILE [--if-exists update|return|refuse] [--format csv|ndjson] [--restart] [--json]
tollkeeper import usage     FILE [--format csv|ndjson] [--restart] [--json]
tollkeeper import provider  --customer-id metadata.KEY|email|provider-id [--products] [--json]

NDJSON has in each line what the service takes: of customers customerId, name, email, usageStartedAt, customProductKeys,
providerCustomerId, metadata; of usage customerId, featureKey, eventKey, amount, occurredAt, metadata. CSV has these names
in its first line, metadata.KEY for each key of metadata, product keys divided by blanks, and times as Unix milliseconds or
2026-01-31T12:00:00Z.

Lines that are refused are shown with their numbers, the rest is imported, and the exit code is 1. An import that stops
goes on where it was when it is run again (FILE.progress keeps the place; --restart begins anew). Nothing counts twice:
customers by customerId, usage by eventKey; a line without one gets a key made of the file's name, its number and its text.
The payment provider is told of new customers in the background.

provider takes over the customers of the payment provider with their subscriptions. --customer-id says where your id of
a customer is; --products imports the provider's products first.

${remote}`,
  },
  export: {
    summary: 'write customers, usage, bonuses or the catalogue as lines',
    text: `tollkeeper export customers  [--format ndjson|csv] [--out FILE] [--customer ID] [--url URL]
tollkeeper export usage      [--format ndjson|csv] [--out FILE] [--customer ID] [--from TIME] [--to TIME] [--url URL]
tollkeeper export bonuses    [--format ndjson|csv] [--out FILE] [--customer ID] [--url URL]
tollkeeper export catalogue  [--out FILE] [--url URL]

Streams, so that any number fits. TIME is Unix milliseconds or 2026-01-31T12:00:00Z. What import takes can be imported
again; for moving a whole installation use a backup instead (docs/production.md). A key of scope read will do.

${remote}`,
  },
}

const width = Math.max(...Object.keys(helps).map((name) => name.length)) + 2

export const overview = `tollkeeper: may this customer use this feature, and how much is left?

${Object.entries(helps)
  .map(([name, { summary }]) => `  tollkeeper ${name.padEnd(width)}${summary}`)
  .join('\n')}

tollkeeper COMMAND --help says more. Exit codes: 0 done, 1 failed, 2 wrong usage.
`

export const findHelp = (name: string): string => helps[name]?.text ?? overview
