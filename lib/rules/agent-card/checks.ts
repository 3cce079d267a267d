/** Checks whether an agent card has what clients need, and says how to fix it. Total: accepts any served value. */
import { isObject, type JsonObject } from "../../protocol/json.ts";

/** A card as a browser received it, in both forms. */
export interface ServedCard {
  /** The response to a request without `A2A-Version`, with the members of both generations. */
  readonly forAll: unknown;
  /** The response to a request with `A2A-Version: 1.0`. */
  readonly v1: unknown;
  /** The scheme, host and port under which the browser has reached the server. */
  readonly origin: string;
  readonly etag: string | undefined;
  /** The status of the response to a second request that sent this ETag. */
  readonly statusAgain: number | undefined;
}

export type CardCheckId =
  | "v0.3"
  | "v1.0"
  | "pure"
  | "addresses"
  | "origin"
  | "versions"
  | "skills"
  | "modes"
  | "streaming"
  | "security"
  | "caching"
  | "push";

export interface CardCheck {
  readonly id: CardCheckId;
  readonly title: string;
  /** `advice`: nothing is wrong, but an optional feature is off. */
  readonly result: "passed" | "failed" | "advice";
  /** The wrong or missing members. */
  readonly found?: string;
  readonly fix?: string;
}

const IDENTITY = [
  "name",
  "description",
  "version",
  "capabilities",
  "defaultInputModes",
  "defaultOutputModes",
  "skills",
];
const REQUIRED_V03 = [...IDENTITY, "url", "protocolVersion", "preferredTransport"];
const REQUIRED_V1 = [...IDENTITY, "supportedInterfaces"];
/** The top-level members of v0.3 that v1.0 does not know. */
const ONLY_V03 = [
  "url",
  "protocolVersion",
  "preferredTransport",
  "additionalInterfaces",
  "supportsAuthenticatedExtendedCard",
  "security",
];

export function checkCard(served: ServedCard): CardCheck[] {
  const all = isObject(served.forAll) ? served.forAll : {};
  const v1 = isObject(served.v1) ? served.v1 : {};
  const cards = [all, v1];
  return [
    members("v0.3", "All that v0.3 clients need", missing(all, REQUIRED_V03)),
    members("v1.0", "All that v1.0 clients need", [...new Set(cards.flatMap((card) => missing(card, REQUIRED_V1)))]),
    check("pure", "A request for v1.0 gets v1.0 and nothing else", only03(v1), PURE),
    check("addresses", "Addresses are absolute, without a final slash", cards.flatMap(badAddresses), ABSOLUTE),
    check("origin", "Addresses have the host of this page", foreign(cards, served.origin), PUBLIC_URL),
    check("versions", "Interfaces are JSONRPC, of exactly “1.0” and “0.3”", cards.flatMap(badVersions), VERSIONS),
    check("skills", "Each skill has an id, a name, a description and tags", cards.flatMap(badSkills), SKILLS),
    check("modes", "Modes are media types", cards.flatMap(badModes), MODES),
    check(
      "streaming",
      "Streaming is offered",
      isOffered(all, v1, "streaming") ? [] : ["capabilities.streaming"],
      STREAM,
    ),
    check("security", "Security is declared for both generations", badSecurity(all), SECURITY),
    check("caching", "A client that has the card gets 304 Not Modified", badCaching(served), CACHING),
    push(isOffered(all, v1, "pushNotifications")),
  ];
}

const CARD = "Fix it where the card is written: metadata.a2a of the assistant, or a2a in graphlib.json.";
const PURE = "Python clients of v1.0 may refuse such an extended card. Check whether a proxy drops A2A-Version.";
const ABSOLUTE = "Clients call the address as it stands. Set PUBLIC_URL to an address that begins with http.";
const PUBLIC_URL =
  "Clients call the address of the card, not the one it came from. Set PUBLIC_URL to the address that callers use or, behind a proxy that forwards it, TRUST_PROXY=true. Nothing is wrong if only you use another address here.";
const VERSIONS =
  "The JavaScript client compares versions as text: “1.0.0” is not found. Something between here and the server has changed the card.";
const SKILLS = `A client refuses a skill without id, name, description or tags. ${CARD}`;
const MODES = `Clients compare modes with those that they support. ${CARD}`;
const STREAM =
  "The JavaScript client falls back to single responses without a warning. Something between here and the server has changed the card.";
const SECURITY = `A client of one generation does not know the other’s form of a scheme. Fix auth.openapi in graphlib.json.`;
const CACHING =
  "A proxy between here and the server drops ETag or If-None-Match: clients then load the card anew each time.";

function check(id: CardCheckId, title: string, bad: readonly string[], fix: string): CardCheck {
  if (bad.length === 0) return { id, title, result: "passed" };
  return { id, title, result: "failed", found: [...new Set(bad)].join(", "), fix };
}

function members(id: CardCheckId, title: string, lacking: readonly string[]): CardCheck {
  return check(
    id,
    title,
    lacking.map((member) => `no ${member}`),
    CARD,
  );
}

function push(offered: boolean): CardCheck {
  const title = "Push notifications are offered";
  if (offered) return { id: "push", title, result: "passed" };
  const fix =
    "Clients have to poll or keep a stream open. To offer push notifications, set http.a2a.push_notifications: true in graphlib.json and GRAPHLIB_A2A_PUSH=true for the server.";
  return { id: "push", title, result: "advice", fix };
}

/** Returns the members that are missing or empty. */
function missing(card: JsonObject, names: readonly string[]): string[] {
  return names.filter((name) => {
    const value = card[name];
    if (name === "capabilities") return !isObject(value);
    if (Array.isArray(value)) return value.length === 0;
    return typeof value !== "string" || value.trim() === "" || LISTS.has(name);
  });
}

const LISTS = new Set(["defaultInputModes", "defaultOutputModes", "skills", "supportedInterfaces"]);

function only03(v1: JsonObject): string[] {
  const { capabilities } = v1;
  const inner = isObject(capabilities) && Object.hasOwn(capabilities, "stateTransitionHistory");
  const outer = ONLY_V03.filter((name) => Object.hasOwn(v1, name));
  return inner ? [...outer, "capabilities.stateTransitionHistory"] : outer;
}

const listIn = (card: JsonObject, name: string): JsonObject[] => {
  const list = card[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
};

function addressesIn(card: JsonObject): unknown[] {
  const interfaces = [...listIn(card, "supportedInterfaces"), ...listIn(card, "additionalInterfaces")];
  return [...(card.url === undefined ? [] : [card.url]), ...interfaces.map((one) => one.url)];
}

function originOf(address: unknown): string | undefined {
  return typeof address === "string" ? /^https?:\/\/[^/?#]+/i.exec(address)?.[0].toLowerCase() : undefined;
}

const quoted = (value: unknown): string => JSON.stringify(value) ?? "none";

function badAddresses(card: JsonObject): string[] {
  return addressesIn(card)
    .filter((address) => originOf(address) === undefined || String(address).endsWith("/"))
    .map(quoted);
}

function foreign(cards: readonly JsonObject[], origin: string): string[] {
  const origins = cards.flatMap(addressesIn).map(originOf);
  return origins.filter((one) => one !== undefined && one !== origin.toLowerCase()).map(String);
}

function badVersions(card: JsonObject): string[] {
  const interfaces = listIn(card, "supportedInterfaces");
  const named = interfaces.map((one) => one.protocolVersion);
  const bindings = interfaces.map((one) => one.protocolBinding).filter((binding) => binding !== "JSONRPC");
  const lacking = ["1.0", "0.3"].filter((version) => !named.includes(version)).map((version) => `no “${version}”`);
  return [...named.filter((one) => one !== "1.0" && one !== "0.3").map(quoted), ...bindings.map(quoted), ...lacking];
}

function badSkills(card: JsonObject): string[] {
  const skills = card.skills;
  if (!Array.isArray(skills) || skills.length === 0) return ["no skill"];
  return skills.flatMap((skill: unknown, index) => {
    const one = isObject(skill) ? skill : {};
    const name = typeof one.id === "string" && one.id !== "" ? one.id : `skill ${index + 1}`;
    const lacking = missing(one, ["id", "name", "description"]);
    const tags = Array.isArray(one.tags) && one.tags.length > 0 && one.tags.every((tag) => typeof tag === "string");
    return [...lacking, ...(tags ? [] : ["tags"])].map((member) => `${name}: no ${member}`);
  });
}

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+*-]+$|^\*\/\*$/;

function badModes(card: JsonObject): string[] {
  return ["defaultInputModes", "defaultOutputModes"].flatMap((name) => {
    const modes: unknown[] = Array.isArray(card[name]) ? card[name] : [];
    return modes.filter((mode) => typeof mode !== "string" || !MEDIA_TYPE.test(mode)).map(quoted);
  });
}

function isOffered(all: JsonObject, v1: JsonObject, capability: string): boolean {
  return [all, v1].every(({ capabilities }) => isObject(capabilities) && capabilities[capability] === true);
}

/** Returns schemes that are declared in one form only, and requirements of schemes that are not declared. */
function badSecurity(all: JsonObject): string[] {
  const schemes = isObject(all.securitySchemes) ? all.securitySchemes : {};
  const halves = Object.entries(schemes).flatMap(([name, scheme]) => {
    const keys = isObject(scheme) ? Object.keys(scheme) : [];
    const is03 = keys.includes("type");
    const is10 = keys.some((key) => key.endsWith("SecurityScheme"));
    return [...(is03 ? [] : [`${name} for v0.3`]), ...(is10 ? [] : [`${name} for v1.0`])];
  });
  const required = [
    ...listIn(all, "security").flatMap((one) => Object.keys(one)),
    ...listIn(all, "securityRequirements").flatMap((one) => (isObject(one.schemes) ? Object.keys(one.schemes) : [])),
  ];
  const unknown = required.filter((name) => !Object.hasOwn(schemes, name)).map((name) => `${name} is not declared`);
  const only = (has: string, not: string): string[] =>
    listIn(all, has).length > 0 && listIn(all, not).length === 0 ? [`no ${not}`] : [];
  return [
    ...halves,
    ...unknown,
    ...only("security", "securityRequirements"),
    ...only("securityRequirements", "security"),
  ];
}

function badCaching({ etag, statusAgain }: ServedCard): string[] {
  if (!etag) return ["no ETag"];
  return statusAgain === 304 ? [] : [`answered ${statusAgain ?? "nothing"} in place of 304`];
}
