// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'AL-101' | 'AL-102' | 'AL-103' | 'AL-104' | 'AL-105' | 'AL-106' | 'AL-107' | 'AL-108' | 'AL-128' | 'AL-109' | 'AL-110' | 'AL-111' | 'AL-112' | 'AL-113' | 'AL-114' | 'AL-115' | 'AL-116' | 'AL-117' | 'AL-118' | 'AL-119' | 'AL-120' | 'AL-121' | 'AL-122' | 'AL-123' | 'AL-124' | 'AL-129' | 'AL-125' | 'AL-126' | 'AL-127' | 'AL-130' | 'AL-131' | 'AL-132' | 'AL-133' | 'AL-134' | 'AL-140' | 'AL-141' | 'AL-142' | 'AL-143' | 'AL-144' | 'AL-145'

const T0 = 'AgentLang, Agent Definition'
const T1 = 'AgentLang, MCP Servers'
const T2 = 'warning'
const T3 = 'AgentLang, Dynamic Orchestration'
const T4 = 'docs/guide/agentlang.md'
const T5 = 'info'
const T6 = 'AgentLang, Prompt Format'
const T7 = 'AgentLang, Context Management'
const T8 = 'AgentLang, Skills'
export const ROOT_OBJECT = /* @__PURE__ */ finding('root-object', 'AL-101', 'File is not a mapping', T0)
export const MISSING_MEMBER = /* @__PURE__ */ finding('missing-member', 'AL-102', 'Missing required member', T0)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'AL-103', 'Invalid member type', T0)
export const EMPTY_VALUE = /* @__PURE__ */ finding('empty-value', 'AL-104', 'Empty value', T0)
export const ENUM_VALUE = /* @__PURE__ */ finding('enum-value', 'AL-105', 'Unknown value', T0)
export const VALUE_PATTERN = /* @__PURE__ */ finding('value-pattern', 'AL-106', 'Malformed value', T0)
export const NUMBER_RANGE = /* @__PURE__ */ finding('number-range', 'AL-107', 'Number out of range', 'AgentLang, Execution Constraints')
export const UNKNOWN_KEY = /* @__PURE__ */ finding('unknown-key', 'AL-108', 'Unknown key', T0, T2, { strict: 'error' })
export const MISPLACED_LIMIT = /* @__PURE__ */ finding('misplaced-limit', 'AL-128', 'Limit at a place where it limits nothing', 'AgentLang, Constraints')
export const RESERVED_NAME = /* @__PURE__ */ finding('reserved-name', 'AL-109', 'Name that some systems reserve', T0)
export const MISSING_VERSION = /* @__PURE__ */ finding('missing-version', 'AL-110', 'Agent without a version', 'AgentLang, Build Output')
export const DUPLICATE_TOOL = /* @__PURE__ */ finding('duplicate-tool', 'AL-111', 'Duplicate tool', 'AgentLang, Tool Declaration')
export const MCP_SERVER = /* @__PURE__ */ finding('mcp-server', 'AL-112', 'MCP server without one way to reach it', T1)
export const UNPINNED_LAUNCHER = /* @__PURE__ */ finding('unpinned-launcher', 'AL-113', 'Launcher that fetches an unpinned package', T1, T2, { strict: 'error', security: 'error' })
export const LITERAL_SECRET = /* @__PURE__ */ finding('literal-secret', 'AL-114', 'Secret in the text', T1, T2, { strict: 'error', security: 'error' })
export const HIDDEN_TEXT = /* @__PURE__ */ finding('hidden-text', 'AL-115', 'Text with hidden characters', T6, T2, { strict: 'error', security: 'error' })
export const LOCATION_PERMISSION = /* @__PURE__ */ finding('location-permission', 'AL-116', 'Location injected without the permission', T7, T2, { strict: 'error' })
export const SKILL_MISSING = /* @__PURE__ */ finding('skill-missing', 'AL-117', 'Skill without a folder', T8)
export const FILE_MISSING = /* @__PURE__ */ finding('file-missing', 'AL-118', 'File that the folder does not have', 'AgentLang, Static Orchestration')
export const SUB_AGENT_TWICE = /* @__PURE__ */ finding('sub-agent-twice', 'AL-119', 'Two sub-agents of one name', T3)
export const SUB_AGENT_DESCRIPTION = /* @__PURE__ */ finding('sub-agent-description', 'AL-120', 'Sub-agent without a description', T3, T2, { strict: 'error' })
export const LOOSER_SUB_AGENT = /* @__PURE__ */ finding('looser-sub-agent', 'AL-121', 'Sub-agent with a looser limit', 'AgentLang, Child Budget Allocation', T2, { strict: 'error' })
export const FILE_NAME = /* @__PURE__ */ finding('file-name', 'AL-122', 'File name that is not the same on every system', T4)
export const FOLDER_SIZE = /* @__PURE__ */ finding('folder-size', 'AL-123', 'Too many files', T4)
export const LEFT_OUT = /* @__PURE__ */ finding('left-out', 'AL-124', 'File that is not part of the agent', T4, T5, { spec: 'off' })
export const LINE_ENDS = /* @__PURE__ */ finding('line-ends', 'AL-129', 'Line ends of Windows', T4, T5, { spec: 'off' })
export const PLACEHOLDER = /* @__PURE__ */ finding('placeholder', 'AL-125', 'Placeholder of the template', T4, T2, { spec: 'off', strict: 'error' })
export const TOOL_SCHEMA = /* @__PURE__ */ finding('tool-schema', 'AL-126', 'Invalid JSON Schema', 'AgentLang, Tool Schemas')
export const DUPLICATE_ENTRY = /* @__PURE__ */ finding('duplicate-entry', 'AL-127', 'Duplicate entry of a list', T0, T2, { strict: 'error' })
export const PROMPT_VERSION = /* @__PURE__ */ finding('prompt-version', 'AL-130', 'Another version of PromptLang', T6)
export const SECTION_NAME = /* @__PURE__ */ finding('section-name', 'AL-131', 'Section name that cannot be a tag', T6)
export const SECTION_TWICE = /* @__PURE__ */ finding('section-twice', 'AL-132', 'Two sections of one name', T6, T2, { strict: 'error' })
export const SECTION_BREAK = /* @__PURE__ */ finding('section-break', 'AL-133', 'Content that ends its own section', T6, T2, { strict: 'error', security: 'error' })
export const PROMPT_VARIABLE = /* @__PURE__ */ finding('prompt-variable', 'AL-134', 'Variable without a value', T7, T2, { strict: 'error' })
export const SKILL_NAME = /* @__PURE__ */ finding('skill-name', 'AL-140', 'Malformed name of a skill', T8)
export const SKILL_LENGTH = /* @__PURE__ */ finding('skill-length', 'AL-141', 'Too long for a skill', T8)
export const SKILL_TOOL = /* @__PURE__ */ finding('skill-tool', 'AL-142', 'Skill with a tool that the agent lacks', T8, T2, { strict: 'error' })
export const SKILL_NO_TOOL = /* @__PURE__ */ finding('skill-no-tool', 'AL-143', 'Skills that leave no tool', T8, T2, { strict: 'error' })
export const FRONT_MATTER_END = /* @__PURE__ */ finding('front-matter-end', 'AL-144', 'Front matter without its end', T8)
export const UX_TOOL = /* @__PURE__ */ finding('ux-tool', 'AL-145', 'Hints for a tool that the agent lacks', 'AgentLang, UX Hints', T2, { strict: 'error' })

export const ALL: readonly FindingKind[] = [ROOT_OBJECT, MISSING_MEMBER, MEMBER_TYPE, EMPTY_VALUE, ENUM_VALUE, VALUE_PATTERN, NUMBER_RANGE, UNKNOWN_KEY, MISPLACED_LIMIT, RESERVED_NAME, MISSING_VERSION, DUPLICATE_TOOL, MCP_SERVER, UNPINNED_LAUNCHER, LITERAL_SECRET, HIDDEN_TEXT, LOCATION_PERMISSION, SKILL_MISSING, FILE_MISSING, SUB_AGENT_TWICE, SUB_AGENT_DESCRIPTION, LOOSER_SUB_AGENT, FILE_NAME, FOLDER_SIZE, LEFT_OUT, LINE_ENDS, PLACEHOLDER, TOOL_SCHEMA, DUPLICATE_ENTRY, PROMPT_VERSION, SECTION_NAME, SECTION_TWICE, SECTION_BREAK, PROMPT_VARIABLE, SKILL_NAME, SKILL_LENGTH, SKILL_TOOL, SKILL_NO_TOOL, FRONT_MATTER_END, UX_TOOL]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...ROOT_OBJECT, why: 'An agent, a prompt, a skill and ux.yaml are mappings. Anything else has no members to read.', bad: '[]', good: '{"name": "scout", "version": "1.0.0"}' },
  { ...MISSING_MEMBER, why: 'Every program that reads the file relies on the required members.', bad: '{"version": "1.0.0"}', good: '{"name": "scout", "version": "1.0.0"}' },
  { ...MEMBER_TYPE, why: 'Some programs ignore a value of another type, others crash.', bad: '{"name": "scout", "version": 1.0}', good: '{"name": "scout", "version": "1.0.0"}' },
  { ...EMPTY_VALUE, why: 'An empty member says nothing, so leave it out or fill it in.', bad: '{"name": "scout", "version": "1.0.0", "title": ""}', good: '{"name": "scout", "version": "1.0.0"}' },
  { ...ENUM_VALUE, why: 'Hosts and runtimes act on the listed values only.', bad: '{"name": "scout", "version": "1.0.0", "context": {"window": {"strategy": "slide"}}}', good: '{"name": "scout", "version": "1.0.0", "context": {"window": {"strategy": "sliding"}}}' },
  { ...VALUE_PATTERN, why: 'Names become names of files and folders, and versions are compared. Both have one form on every system.', bad: '{"name": "my agent", "version": "1.0.0"}', good: '{"name": "my-agent", "version": "1.0.0"}' },
  { ...NUMBER_RANGE, why: 'A number outside its range is a mistake.', bad: '{"name": "scout", "version": "1.0.0", "constraints": {"limits": {"timeout": -1}}}', good: '{"name": "scout", "version": "1.0.0", "constraints": {"limits": {"timeout": 300}}}' },
  { ...UNKNOWN_KEY, why: 'Runtimes ignore keys that they do not know. A misspelled one would do nothing, and nobody would notice.', bad: '{"name": "scout", "version": "1.0.0", "ui": {}}', good: '{"name": "scout", "version": "1.0.0", "ui_components": {}}' },
  { ...MISPLACED_LIMIT, why: 'Runtimes look for limits in constraints only. At another place the agent runs without one.', bad: '{"name": "scout", "version": "1.0.0", "limits": {"max_turns": 5}}', good: '{"name": "scout", "version": "1.0.0", "constraints": {"limits": {"max_turns": 5}}}' },
  { ...RESERVED_NAME, why: 'The name becomes part of file names, and Windows cannot make a file of this name.', bad: '{"name": "con", "version": "1.0.0"}', good: '{"name": "console", "version": "1.0.0"}' },
  { ...MISSING_VERSION, why: 'A container is named after the agent\'s name and version. Only sub-agents may leave it out.', bad: '{"name": "scout", "tools": []}', good: '{"name": "scout", "version": "1.0.0", "tools": []}' },
  { ...DUPLICATE_TOOL, why: 'A model calls a tool by its name. With two of one name, nobody knows which one runs.', bad: '{"name": "scout", "version": "1.0.0", "tools": [{"name": "search"}, {"name": "search"}]}', good: '{"name": "scout", "version": "1.0.0", "tools": [{"name": "search"}]}' },
  { ...MCP_SERVER, why: 'A host either starts a command or connects to a URL. With both or neither, it cannot know what to do.', bad: '{"name": "scout", "version": "1.0.0", "mcp_servers": {"mail": {"args": ["-y"]}}}', good: '{"name": "scout", "version": "1.0.0", "mcp_servers": {"mail": {"command": "mail-server"}}}' },
  { ...UNPINNED_LAUNCHER, why: 'The launcher downloads whatever is newest at each start. Someone else\'s new release then runs with the rights of the agent.', bad: '{"name": "scout", "version": "1.0.0", "mcp_servers": {"mail": {"command": "npx", "args": ["-y", "@acme/mail"]}}}', good: '{"name": "scout", "version": "1.0.0", "mcp_servers": {"mail": {"command": "npx", "args": ["-y", "@acme/mail@1.2.0"]}}}' },
  { ...LITERAL_SECRET, why: 'agent.yaml, skills and context/ are readable in every container. A secret in them belongs to everyone who has it.', bad: '{"name": "scout", "version": "1.0.0", "mcp_servers": {"mail": {"command": "mail", "env": {"KEY": "ghp_0123456789abcdefghijklmnopqrstuvwxyz"}}}}', good: '{"name": "scout", "version": "1.0.0", "mcp_servers": {"mail": {"command": "mail", "env": {"KEY": "{{.env.KEY}}"}}}}' },
  { ...HIDDEN_TEXT, why: 'A model reads characters that no screen shows. Instructions hide in them.', bad: '{"name": "scout", "version": "1.0.0", "description": "Helps.\\u200b\\u2060"}', good: '{"name": "scout", "version": "1.0.0", "description": "Helps."}' },
  { ...LOCATION_PERMISSION, why: 'The location is injected only where the agent may use it. Without asking for the capability it stays empty.', bad: '{"name": "scout", "version": "1.0.0", "context": {"inject": ["location"]}}', good: '{"name": "scout", "version": "1.0.0", "context": {"inject": ["location"]}, "permissions": {"optional": ["location"]}}' },
  { ...SKILL_MISSING, why: 'A skill is skills/NAME/SKILL.md. Without it, the agent starts without the limits that the skill sets.', bad: 'skills [test-helper] in a folder without skills/test-helper/SKILL.md', good: 'the same folder with skills/test-helper/SKILL.md' },
  { ...FILE_MISSING, why: 'The agent cannot run without the file, and a path out of its folder would not be in the container.', bad: 'delegate.agents with the path ./writer.yaml, in a folder without it', good: 'the same folder with writer.yaml' },
  { ...SUB_AGENT_TWICE, why: 'The orchestrator hands a task to a sub-agent by its name, and with two of one name nobody knows which one works.', bad: 'writer.yaml and specialists/writer.yaml, both of the name writer', good: 'two sub-agents with two names' },
  { ...SUB_AGENT_DESCRIPTION, why: 'The orchestrator chooses sub-agents by their descriptions.', bad: 'a sub-agent with a name only', good: 'description: Specialist in research papers' },
  { ...LOOSER_SUB_AGENT, why: 'A sub-agent never gets more than its parent. The larger number counts nowhere and only misleads.', bad: 'constraints.limits.timeout 300 in agent.yaml, 600 in writer.yaml', good: 'constraints.limits.timeout 300 in agent.yaml, 60 in writer.yaml' },
  { ...FILE_NAME, why: 'Some system cannot make a file of this name, or takes two names for one file. The container would not unpack there.', bad: 'context/CON.txt', good: 'context/console.txt' },
  { ...FOLDER_SIZE, why: 'An agent has at most 10,000 files, 64 MiB in all, and 256 sub-agents, so that anyone can open it.', bad: 'a folder with 300 sub-agents', good: 'a folder with three sub-agents' },
  { ...LEFT_OUT, why: 'Part of the agent are agent.yaml, prompts, sub-agents, skills/, context/, ux.yaml, agent.lock and files that these name. Other files stay out of the container.', bad: 'notes.txt next to agent.yaml', good: 'context/notes.txt' },
  { ...LINE_ENDS, why: 'Git may change them when it checks out, and the digest of the container with them. A line `* text=auto eol=lf` in .gitattributes keeps the bytes equal everywhere.', bad: 'a prompt.yaml whose lines end with CR and LF', good: 'the same lines with LF' },
  { ...PLACEHOLDER, why: 'Users would read a text that says nothing about the agent.', bad: '{"name": "scout", "version": "1.0.0", "developer": "your-company"}', good: '{"name": "scout", "version": "1.0.0", "developer": "acme"}' },
  { ...TOOL_SCHEMA, why: 'Arguments, results and props are checked against it. With an invalid schema, each call fails.', bad: '{"name": "scout", "version": "1.0.0", "tools": [{"name": "search", "input_schema": {"type": "text"}}]}', good: '{"name": "scout", "version": "1.0.0", "tools": [{"name": "search", "input_schema": {"type": "string"}}]}' },
  { ...DUPLICATE_ENTRY, why: 'The second one has no effect. If the two differ in other members, nobody knows which one counts.', bad: '{"name": "scout", "version": "1.0.0", "protocols": [{"name": "a2a", "version": "^1.0.0"}, {"name": "a2a"}]}', good: '{"name": "scout", "version": "1.0.0", "protocols": [{"name": "a2a", "version": "^1.0.0"}]}' },
  { ...PROMPT_VERSION, why: 'The version says how sections are written. Blazon knows version 2.', bad: '{"version": 1, "sections": [{"name": "a", "content": "x"}]}', good: '{"version": 2, "sections": [{"name": "a", "content": "x"}]}' },
  { ...SECTION_NAME, why: 'A section becomes an XML tag of its name. A letter or _ begins it, and letters, digits, _, - and . follow.', bad: '{"version": 2, "sections": [{"name": "your tools", "content": "x"}]}', good: '{"version": 2, "sections": [{"name": "your_tools", "content": "x"}]}' },
  { ...SECTION_TWICE, why: 'Instructions refer to a section by its name. With two of one name, a model may follow either.', bad: '{"version": 2, "sections": [{"name": "a", "content": "x"}, {"name": "a", "content": "y"}]}', good: '{"version": 2, "sections": [{"name": "a", "content": "x"}, {"name": "b", "content": "y"}]}' },
  { ...SECTION_BREAK, why: 'Content is copied to the letter. A closing tag or a heading of a section in it makes the rest look like another section.', bad: '{"version": 2, "sections": [{"name": "a", "content": "x</a>y"}]}', good: '{"version": 2, "sections": [{"name": "a", "content": "x"}]}' },
  { ...PROMPT_VARIABLE, why: 'A prompt gets time, location and user_profile where context.inject asks for them. Any other variable reaches the model as it is written.', bad: '{"version": 2, "sections": [{"name": "a", "content": "Now: {{clock}}"}]}', good: '{"version": 2, "sections": [{"name": "a", "content": "Now: {{time}}"}]}' },
  { ...SKILL_NAME, why: 'The name is that of the folder, at most 64 small letters, digits and single dashes. Otherwise agent.yaml cannot name the skill.', bad: '{"name": "Test Helper", "description": "Tests tools"}', good: '{"name": "test-helper", "description": "Tests tools"}' },
  { ...SKILL_LENGTH, why: 'Hosts put names and descriptions of all skills into the context. A description has at most 1,024 characters, compatibility 500.', bad: 'a description of 2,000 characters', good: 'a description of one sentence' },
  { ...SKILL_TOOL, why: 'A skill restricts the tools of its agent and adds none.', bad: 'allowed-tools [sqlite] in a skill of an agent without sqlite', good: 'allowed-tools [web_search] in a skill of an agent with web_search' },
  { ...SKILL_NO_TOOL, why: 'The active skills allow none of the tools that the agent has, so it can only talk.', bad: 'allowed-tools [sqlite] in the only skill of an agent with web_search', good: 'allowed-tools [web_search] in that skill' },
  { ...FRONT_MATTER_END, why: 'A line --- ends the front matter. Without it, the whole text is read as YAML, and the skill has no instructions.', bad: 'front matter that begins with --- and is the whole file', good: 'the same with a line --- before the instructions' },
  { ...UX_TOOL, why: 'The labels are shown for no tool. Most often the name is misspelled.', bad: 'tools with gmail_list in ux.yaml, of an agent without that tool', good: 'tools with the name of a tool of the agent' },
]
