import type { ReactNode } from "react";
import { isObject, type JsonObject } from "#lib/protocol/json.ts";

/** Shows an agent card as a list. Accepts any JSON, and shows missing fields as such. */
export function CardSections({ card }: { card: JsonObject }) {
  const { name, description, version, provider, documentationUrl } = card;
  const organization = isObject(provider) ? text(provider.organization) : "";
  return (
    <dl className="px-4 pt-1 pb-3">
      <Fact name="Name">{text(name) || <None />}</Fact>
      <Fact name="Description">{text(description) || <None />}</Fact>
      <Fact name="Version">{text(version) || <None />}</Fact>
      {organization === "" ? null : <Fact name="Provider">{organization}</Fact>}
      {text(documentationUrl) === "" ? null : <Fact name="Documentation">{text(documentationUrl)}</Fact>}
      <Fact name="Skills">
        <Skills skills={objects(card.skills)} />
      </Fact>
      <Fact name="Input types">
        <Words words={texts(card.defaultInputModes)} />
      </Fact>
      <Fact name="Output types">
        <Words words={texts(card.defaultOutputModes)} />
      </Fact>
      <Fact name="Capabilities">
        <Capabilities card={card} />
      </Fact>
      <Fact name="Security">
        <Security card={card} />
      </Fact>
      <Fact name="Interfaces">
        <Interfaces card={card} />
      </Fact>
      <Fact name="Signature">{signatureOf(card)}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 border-b border-line py-2 last:border-b-0 sm:grid-cols-[7rem_minmax(0,1fr)]">
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}

function None() {
  return <span className="text-ink-3">none</span>;
}

function Skills({ skills }: { skills: readonly JsonObject[] }) {
  if (skills.length === 0) return <None />;
  return (
    <ul className="flex flex-col gap-2">
      {skills.map((skill) => (
        <li key={JSON.stringify(skill)}>
          <span className="font-medium">{text(skill.name) || text(skill.id)}</span>
          <div className="text-ink-2">{text(skill.description)}</div>
          <Words words={texts(skill.tags)} />
          {texts(skill.examples).map((example) => (
            <div key={example} className="text-small text-ink-2">
              “{example}”
            </div>
          ))}
        </li>
      ))}
    </ul>
  );
}

function Words({ words }: { words: readonly string[] }) {
  if (words.length === 0) return <None />;
  return (
    <span className="flex flex-wrap gap-1">
      {words.map((word) => (
        <code key={word} className="rounded-key bg-well px-1.5 font-mono text-code text-ink-2">
          {word}
        </code>
      ))}
    </span>
  );
}

const CAPABILITIES = [
  ["streaming", "Streaming"],
  ["pushNotifications", "Push notifications"],
  ["extendedAgentCard", "Extended agent card"],
] as const;

function Capabilities({ card: { capabilities, supportsAuthenticatedExtendedCard: extended } }: { card: JsonObject }) {
  const given = isObject(capabilities) ? capabilities : {};
  const has: JsonObject = { ...given, extendedAgentCard: given.extendedAgentCard ?? extended };
  return (
    <ul>
      {CAPABILITIES.map(([member, words]) => (
        <li key={member} className={has[member] === true ? "" : "text-ink-3"}>
          {`${words}: ${has[member] === true ? "yes" : "no"}`}
        </li>
      ))}
    </ul>
  );
}

function Security({ card }: { card: JsonObject }) {
  const schemes = Object.entries(isObject(card.securitySchemes) ? card.securitySchemes : {});
  if (schemes.length === 0) return "No authentication required";
  return (
    <ul>
      {schemes.map(([name, scheme]) => (
        <li key={name}>
          {name} <span className="text-ink-2">{schemeWords(isObject(scheme) ? scheme : {})}</span>
        </li>
      ))}
    </ul>
  );
}

/** Describes a security scheme in the form of A2A 0.3 or of 1.0. */
function schemeWords(scheme: JsonObject): string {
  const member = Object.keys(scheme).find((key) => key.endsWith("SecurityScheme"));
  const inner = member === undefined ? undefined : scheme[member];
  const of = isObject(inner) ? inner : scheme;
  const kind = text(scheme.type) || (member ?? "").replace("SecurityScheme", "");
  const where = [of.location ?? of.in, of.name].map(text).filter((word) => word !== "");
  return [kind, text(of.scheme), ...where].filter((word) => word !== "").join(" · ");
}

function Interfaces({ card }: { card: JsonObject }) {
  const v03 =
    card.url === undefined ? [] : [{ url: card.url, version: `${text(card.protocolVersion)} (older clients)` }];
  const others = objects(card.supportedInterfaces).map((one) => ({ url: one.url, version: text(one.protocolVersion) }));
  const all = [...others, ...v03];
  if (all.length === 0) return <None />;
  return (
    <ul className="flex flex-col gap-1">
      {all.map(({ url, version }) => (
        <li key={version}>
          {version} <code className="font-mono text-code wrap-anywhere text-ink-2">{text(url)}</code>
        </li>
      ))}
    </ul>
  );
}

function signatureOf({ signatures }: JsonObject): string {
  const [signature] = objects(signatures);
  return signature ? "Signed: clients can verify the card" : "Not signed: set GRAPHLIB_CARD_KEY";
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? [...new Set(value.filter((one) => typeof one === "string"))] : [];
const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
