// About 300 made-up agents to try the search with. They are the same every time.
import type { AgentCard } from '../../bindings/card/subject.ts'
import type { AgentSignals } from '../../bindings/directory/index.ts'

interface Sample {
  readonly cards: readonly AgentCard[]
  /**
   * The signals of a deployment about these agents. Without them, all agents would have the same reputation,
   * availability and rating.
   */
  readonly signals: ReadonlyMap<string, AgentSignals>
}

const HEADS = [
  'Al',
  'Bel',
  'Cor',
  'Dan',
  'El',
  'Fer',
  'Gal',
  'Hel',
  'Is',
  'Jor',
  'Kal',
  'Lor',
  'Mar',
  'Nor',
  'Or',
  'Per',
  'Quin',
  'Ros',
  'Sol',
  'Tal',
  'Ul',
  'Ver',
  'Wil',
  'Zen',
]
const TAILS = ['ba', 'dine', 'do', 'fin', 'gar', 'ia', 'lis', 'mon', 'na', 'rin', 'sa', 'tis', 'vo']
const MANNERS = [
  'Answers within a second.',
  'Keeps nothing of what it is sent.',
  'Every result is checked a second time before it is returned.',
  'Made for large amounts, day and night.',
  'Says so when it does not know.',
  'Runs within the European Union only.',
  'Small, quick and cheap.',
  'Explains each decision on request.',
]
const LANGUAGES = ['en', 'en de', 'en fr es', 'en zh ja', 'en pt', 'de', 'en ar hi', 'en it nl pl']
/** Descriptions of some agents in other languages, including CJK without spaces. */
const TRANSLATED: Readonly<Record<number, string>> = {
  0: '合同翻译，中文和英文之间，保留名称、数字和版式。',
  1: 'Übersetzt Patentschriften, ohne Namen, Zahlen und Formeln zu verändern.',
  9: '決算説明会の内容を要約し、該当箇所を示します。',
  48: 'Lit les reçus sur des photographies, tableaux et écriture à la main compris.',
  83: '회의와 전화 통화를 화자와 시간까지 기록합니다.',
  192: 'Busca en la web pruebas científicas y cita las fuentes.',
}

/** The sample set. */
export function sampleSet(): Sample {
  const cards: AgentCard[] = []
  const signals = new Map<string, AgentSignals>()
  const next = numbers(20_260_101)
  for (const template of AGENT_TEMPLATES) {
    for (const field of template.fields) {
      const n = cards.length
      const card = cardOf(template, field, n, next)
      cards.push(card)
      signals.set(card.id, signalsOf(next))
    }
  }
  return { cards, signals }
}

function cardOf({ tags, role, does, tool }: AgentTemplate, field: string, n: number, next: () => number): AgentCard {
  const [method, about, input] = tool
  // 24 heads and 13 tails have no common divisor: 312 different names.
  const name = `${HEADS[n % HEADS.length]}${TAILS[n % TAILS.length]} ${role}`
  const id = `agent://${name.toLowerCase().replaceAll(' ', '-')}`
  const subject = field.split(' ').at(-1)!.toLowerCase()
  const members = input.split(' ')
  const day = String(1 + Math.floor(28 * next())).padStart(2, '0')
  return {
    id,
    name,
    description: TRANSLATED[n] ?? `${does.replace('{}', field)} ${pick(MANNERS, next)}`,
    version: `${1 + Math.floor(3 * next())}.${Math.floor(10 * next())}.0`,
    skills: [...tags.slice(0, 1 + Math.floor(tags.length * next())), ...(/^[a-z]+$/.test(subject) ? [subject] : [])],
    tools: [
      {
        name: method,
        description: about,
        input_schema: {
          type: 'object',
          properties: Object.fromEntries(members.map((member) => [member, {}])),
          required: members.slice(0, 1),
        },
      },
    ],
    endpoints: [{ protocol: 'http+json', uri: `https://${id.slice('agent://'.length)}.example/v1`, auth: 'bearer' }],
    constraints: {
      max_concurrent_tasks: 2 ** Math.floor(6 * next()),
      supported_languages: pick(LANGUAGES, next).split(' '),
      rate_limit: `${10 * (1 + Math.floor(12 * next()))}/min`,
    },
    metadata: { created_at: `2026-01-${day}T09:00:00Z`, updated_at: `2026-03-${day}T09:00:00Z`, ttl: 86_400 },
    seq: 1 + Math.floor(20 * next()),
  }
}

function signalsOf(next: () => number): AgentSignals {
  const isNew = next() < 0.15
  const hundredths = (from: number) => Math.round(100 * (from + (1 - from) * next())) / 100
  return {
    online: next() < 0.75,
    ...(isNew
      ? { completedTasks: Math.floor(5 * next()) }
      : { completedTasks: 5 + Math.floor(2000 * next()), reputation: hundredths(0.2), rating: hundredths(0.4) }),
  }
}

const pick = <T>(list: readonly T[], next: () => number): T => list[Math.floor(list.length * next())]!

/** Pseudorandom numbers from 0 up to 1, equal for equal seeds (a linear congruential generator modulo 2^32, by Knuth). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

// Templates of the agents in the sample set, by the categories of table 6. Each template is filled with eight fields.

interface AgentTemplate {
  /** The first tag is the primary one. */
  readonly tags: readonly string[]
  readonly role: string
  /** A sentence; `{}` stands for the field. */
  readonly does: string
  /** A method, its description, and the members of its input. */
  readonly tool: readonly [name: string, about: string, input: string]
  readonly fields: readonly string[]
}

type Row = readonly [tags: string, role: string, does: string, tool: AgentTemplate['tool'], fields: string]

const ROWS: readonly Row[] = [
  [
    'nlp/translation multilingual',
    'Translator',
    'Translates {} and keeps names, figures and layout as they were.',
    ['translate', 'Translate a text.', 'text target_language'],
    'legal contracts|patent filings|medical letters|software interfaces|film subtitles|product manuals|tender documents|chat messages',
  ],
  [
    'nlp/generation/summarization',
    'Summarizer',
    'Condenses {} to what a busy reader has to know, with references to the passages.',
    ['summarize', 'Summarize a text.', 'text length'],
    'court rulings|earnings calls|research papers|meeting transcripts|long mail threads|news of the day|incident reports|parliamentary debates',
  ],
  [
    'nlp/text-analysis/sentiment',
    'Sentiment Reader',
    'Tells praise from complaint in {} and says which words decided.',
    ['classify_sentiment', 'Judge the tone of texts.', 'texts'],
    'hotel reviews|support tickets|app store comments|survey answers|social media posts|employee feedback|film reviews|analyst notes',
  ],
  [
    'nlp/text-analysis/entity-extraction',
    'Entity Finder',
    'Finds people, places, amounts and dates in {} and links those that are the same.',
    ['extract_entities', 'List the entities of a text.', 'text kinds'],
    'invoices|historical letters|police reports|clinical notes|press releases|shipping papers|land registers|sanction lists',
  ],
  [
    'nlp/dialogue support',
    'Receptionist',
    'Answers questions about {} in conversation and hands over to people when unsure.',
    ['reply', 'Answer a message of a conversation.', 'message history'],
    'opening hours and bookings|broadband contracts|insurance claims|library loans|public transport tickets|warranty cases|university admission|tax returns',
  ],
  [
    'nlp/text-analysis/classification',
    'Sorter',
    'Sorts {} into the categories that you give it, with a confidence for each.',
    ['classify', 'Assign categories to texts.', 'texts categories'],
    'incoming post|bug reports|scientific abstracts|job applications|legal clauses|product listings|emergency calls|museum records',
  ],
  [
    'vision/ocr documents',
    'Page Reader',
    'Reads {} from photographs and scans, tables and handwriting included.',
    ['read_page', 'Text of an image.', 'image_url language'],
    'receipts|passports|old newspapers|whiteboards|medicine packages|engineering drawings|church registers|delivery notes',
  ],
  [
    'vision/object-detection',
    'Spotter',
    'Detects {} in pictures and video and marks each with a box.',
    ['detect', 'Objects of an image.', 'image_url classes'],
    'vehicles on roads|ripe fruit on trees|defects on circuit boards|ships in satellite images|people without helmets|wild animals at night|empty shelves in shops|cracks in concrete',
  ],
  [
    'vision/image-classification',
    'Image Sorter',
    'Says what {} show and how sure it is.',
    ['classify_image', 'Classes of an image.', 'image_url'],
    'skin lesions|leaves of plants|fabric patterns|rock samples|microscope slides|real estate photographs|traffic signs|paintings',
  ],
  [
    'vision/segmentation medical',
    'Outliner',
    'Outlines {} to the pixel and measures their area.',
    ['segment', 'Masks of an image.', 'image_url'],
    'tumours in scans|roofs in aerial images|roads and lanes|teeth in x-rays|fields and hedges|clouds over sea|cells in cultures|flood water',
  ],
  [
    'audio/speech-to-text',
    'Transcriber',
    'Writes down {} with speakers, times and punctuation.',
    ['transcribe', 'Text of a recording.', 'audio_url language'],
    'interviews|city council sessions|doctors at dictation|phone calls|lectures|podcasts|court hearings|radio archives',
  ],
  [
    'audio/text-to-speech',
    'Speaker',
    'Reads {} aloud in natural voices, with stress where it belongs.',
    ['speak', 'Speech of a text.', 'text voice'],
    'audio books|station announcements|language lessons|navigation hints|news bulletins|bedtime stories|museum guides|exam questions',
  ],
  [
    'audio/music-generation creative',
    'Composer',
    'Composes music for {}, in the mood and length that you ask for.',
    ['compose', 'A piece of music.', 'mood seconds'],
    'short films|meditation|video games|advertising|school plays|dance classes|podcast openings|documentaries',
  ],
  [
    'audio/sound-analysis',
    'Listener',
    'Hears {} in recordings and says when each occurred.',
    ['analyze_sound', 'Events of a recording.', 'audio_url'],
    'failing bearings|birds of the forest|breaking glass|coughs and wheezes|gunshots and alarms|insects in grain|leaks in pipes|whales under water',
  ],
  [
    'analytical/data-analysis statistics',
    'Analyst',
    'Explores {}, tests what you suspect, and draws the chart that shows it.',
    ['analyze', 'Answer a question from data.', 'data_url question'],
    'sales figures|clinical trials|website traffic|energy consumption|football matches|election results|school grades|crop yields',
  ],
  [
    'analytical/forecasting',
    'Forecaster',
    'Forecasts {} with bands for how sure it is.',
    ['forecast', 'Predict a series.', 'series horizon'],
    'electricity demand|hotel occupancy|spare part orders|river levels|call centre load|cash flow|hospital admissions|grain prices',
  ],
  [
    'analytical/optimization logistics',
    'Planner',
    'Plans {} under constraints and says what each costs.',
    ['optimize', 'A plan under constraints.', 'goal constraints'],
    'delivery routes|nurse rosters|school timetables|warehouse layouts|cutting of sheet metal|airport gates|harvest machines|maintenance windows',
  ],
  [
    'analytical/anomaly-detection fraud',
    'Watchman',
    'Notices what is unusual in {} and explains why it stands out.',
    ['detect_anomalies', 'Odd records of a set.', 'records'],
    'card payments|network traffic|insurance claims|sensor readings|expense reports|login attempts|water meters|trading orders',
  ],
  [
    'analytical/reasoning mathematics',
    'Reasoner',
    'Solves {} step by step and checks each step.',
    ['solve', 'A solution with its steps.', 'problem'],
    'word problems|chess endgames|logic puzzles|physics exercises|contract conditions|tax cases|geometry proofs|scheduling riddles',
  ],
  [
    'coding/code-generation python',
    'Coder',
    'Writes {} with tests, from a description in plain words.',
    ['generate_code', 'Code for a task.', 'task language'],
    'Python services|SQL queries|shell scripts|React components|Terraform modules|Rust libraries|spreadsheet formulas|embedded C',
  ],
  [
    'coding/debugging',
    'Debugger',
    'Finds the cause of {} and proposes the smallest change that mends it.',
    ['debug', 'Cause and fix of a failure.', 'code error'],
    'crashes in Java|memory leaks in C++|race conditions in Go|slow SQL|failing builds|flaky tests|broken layouts in CSS|wrong time zones',
  ],
  [
    'coding/code-review security',
    'Reviewer',
    'Reviews {} and comments line by line, gravest first.',
    ['review', 'Comments on a change.', 'diff'],
    'pull requests|smart contracts|database migrations|Kubernetes manifests|cryptographic code|accessibility of pages|public interfaces|data pipelines',
  ],
  [
    'coding/refactoring legacy',
    'Restorer',
    'Moves {} to today’s tools without changing what it does.',
    ['refactor', 'Changed code and a proof of sameness.', 'code goal'],
    'COBOL programs|Python 2 scripts|jQuery pages|Fortran models|Visual Basic forms|stored procedures|PHP monoliths|Objective-C apps',
  ],
  [
    'coding/testing',
    'Tester',
    'Writes tests for {} until what matters is covered.',
    ['write_tests', 'Tests for code.', 'code framework'],
    'REST interfaces|user interfaces|parsers|payment flows|mobile apps|numerical code|message queues|access rights',
  ],
  [
    'retrieval/web-search',
    'Searcher',
    'Searches the web for {} and returns sources with the passages that answer.',
    ['search_web', 'Pages that answer a question.', 'question'],
    'scientific evidence|company profiles|technical documentation|court decisions|travel advice|product prices|local news|grants and funding',
  ],
  [
    'retrieval/knowledge-base rag',
    'Librarian',
    'Answers from {} and cites where it read that.',
    ['answer', 'An answer with citations.', 'question'],
    'company handbooks|medical guidelines|building codes|research archives|support articles|statutes and comments|machine manuals|course material',
  ],
  [
    'retrieval/document-search',
    'Archivist',
    'Finds the one document among many in {} by what it says.',
    ['find_documents', 'Documents by meaning.', 'query'],
    'mail archives|contract folders|patent collections|newspaper archives|engineering records|patient files|grant proposals|policy documents',
  ],
  [
    'retrieval/data-extraction scraping',
    'Gatherer',
    'Collects {} from pages and files into clean tables.',
    ['extract', 'A table of records.', 'url fields'],
    'property listings|price lists|event calendars|public tenders|weather stations|sports results|job openings|recipe collections',
  ],
  [
    'creative/writing',
    'Writer',
    'Writes {} in your voice, and offers two drafts to choose from.',
    ['write', 'A text to a brief.', 'brief tone'],
    'product descriptions|wedding speeches|newsletters|short stories|grant applications|press releases|poems|job advertisements',
  ],
  [
    'creative/design images',
    'Designer',
    'Designs {} to a brief and explains the choices.',
    ['design', 'Drafts to a brief.', 'brief size'],
    'logos|posters|book covers|slide decks|packaging|website mock-ups|infographics|birthday cards',
  ],
  [
    'creative/image-generation',
    'Painter',
    'Paints {} from a description, in the style that you name.',
    ['paint', 'An image of a description.', 'description style'],
    'landscapes|character portraits|icons|product scenes|comic panels|architecture sketches|textile patterns|scientific figures',
  ],
  [
    'creative/video-editing',
    'Cutter',
    'Cuts {} to length, with titles and an even sound.',
    ['edit_video', 'An edited video.', 'video_url seconds'],
    'sports highlights|conference talks|travel films|cooking shows|school projects|drone footage|customer stories|lecture recordings',
  ],
  [
    'ops/deployment kubernetes',
    'Deployer',
    'Rolls out {} in steps and rolls back when figures turn bad.',
    ['deploy', 'Roll out a version.', 'service version'],
    'web services|machine learning models|mobile back ends|database clusters|edge functions|static sites|message brokers|game servers',
  ],
  [
    'ops/monitoring',
    'Sentinel',
    'Watches {} and wakes somebody only when it matters.',
    ['watch', 'State and alarms.', 'target'],
    'Linux servers|certificates and domains|batch jobs|solar parks|cold chains|payment gateways|build pipelines|backup runs',
  ],
  [
    'ops/security vulnerability-scanning',
    'Guard',
    'Looks for weaknesses in {} and ranks them by what an attacker could do.',
    ['scan', 'Weaknesses of a target.', 'target'],
    'container images|cloud accounts|web applications|firewall rules|dependencies|mail servers|industrial controllers|mobile apps',
  ],
  [
    'ops/incident-response',
    'First Responder',
    'Takes the first steps when {} fail, and keeps the log of what was done.',
    ['respond', 'Steps for an alarm.', 'alarm'],
    'web shops|phone systems|storage clusters|identity providers|booking systems|hospital networks|traffic lights|stock exchanges',
  ],
  [
    'finance/accounting documents',
    'Bookkeeper',
    'Books {} to the right accounts and asks when a receipt is missing.',
    ['book', 'Entries for a record.', 'record'],
    'supplier invoices|travel expenses|bank statements|payroll runs|club fees|rental income|donations|online sales',
  ],
  [
    'education/tutoring',
    'Tutor',
    'Teaches {} with exercises that grow with the learner.',
    ['teach', 'The next exercise.', 'topic level'],
    'algebra|spoken Spanish|music theory|first steps in Python|organic chemistry|essay writing|world history|reading for children',
  ],
]

const AGENT_TEMPLATES: readonly AgentTemplate[] = ROWS.map(([tags, role, does, tool, fields]) => ({
  tags: tags.split(' '),
  role,
  does,
  tool,
  fields: fields.split('|'),
}))
