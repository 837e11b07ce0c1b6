// Templates of the agents in the sample set, by the categories of table 6. Each template is filled with eight fields.

export interface AgentTemplate {
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

export const AGENT_TEMPLATES: readonly AgentTemplate[] = ROWS.map(([tags, role, does, tool, fields]) => ({
  tags: tags.split(' '),
  role,
  does,
  tool,
  fields: fields.split('|'),
}))
