// Turns a request in words into a message that could be sent. Pure. A real application would ask a model here.

type Email = { to: string; subject: string; body: string };

const WHO = String.raw`(?<to>(?:my |the |our |all )?[\p{L}\d._%+@'-]+(?: (?!that|to|about|saying|know)[\p{L}\d'-]+)?)`;
const WRITE = "(?:send|write|draft|compose|prepare) (?:an? |the )?(?:short |quick |friendly |polite )?";
const LETTER = "(?:e-?mail|message|note|mail|letter|reply) (?:to|for)";
const TELL = "(?:e-?mail|message|text|write to|write|tell|inform|notify|let|ping)";
const SAYING = "(?:,? (?:that|(?:to say|saying|and say)(?: that)?)|:)";
const ABOUT = "(?:about|on|regarding)";

const FORMS = [
  `${WRITE}${LETTER} ${WHO}${SAYING} (?<body>.+)`,
  `${WRITE}${LETTER} ${WHO}(?: ${ABOUT} (?<topic>.+))?`,
  `${TELL} ${WHO}(?: know)?${SAYING} (?<body>.+)`,
  `${TELL} ${WHO}(?: know)? ${ABOUT} (?<topic>.+)`,
  `remind ${WHO} (?:to|that|of|about) (?<reminder>.+)`,
].map((form) => new RegExp(`^${form}$`, "isu"));

const LEAD = /^(?:please|can you|could you|would you|i want to|i'd like to|i would like to|hi|hello|hey)[\s,!]+/iu;

/** Drafts a message: "Email Anna that the build is green" is one to Anna, and any other text is the body itself. */
export function draftMessage(request: string): string {
  const { to, subject, body } = readRequest(request.trim());
  const name = /^\p{L}+$/u.test(to) ? ` ${to}` : "";
  return `To: ${to || "(nobody named)"}\nSubject: ${subject}\n\nHello${name},\n\n${body}\n\nBest regards`;
}

function readRequest(request: string): Email {
  const text = request.replace(LEAD, "").replace(LEAD, "");
  for (const form of FORMS) {
    const { to = "", body, topic, reminder } = form.exec(text)?.groups ?? {};
    if (!to) continue;
    const content =
      body ?? (reminder ? `this is a reminder: ${reminder}` : `I am writing to you about ${topic ?? "…"}`);
    return {
      to: /\s/u.test(to) ? to : capitalized(to),
      subject: subjectOf(topic ?? reminder ?? body ?? ""),
      body: toSentence(content),
    };
  }
  return { to: "", subject: subjectOf(text), body: toSentence(text || "…") };
}

/** Returns one line whatever the request holds, because a line break in a subject would start a header of its own. */
function subjectOf(text: string): string {
  const [line = ""] = text.trim().split(/[\p{Cc}\p{Zl}\p{Zp}]|[.!?](?:\s|$)/u);
  const words = capitalized(line.trim()) || "A message";
  return words.length > 60 ? `${words.slice(0, 60).replace(/\s+\S*$/u, "")}…` : words;
}

function toSentence(text: string): string {
  const sentence = capitalized(text.trim());
  return /[.!?…]$/u.test(sentence) ? sentence : `${sentence}.`;
}

function capitalized(text: string): string {
  return text.includes("@") && !/\s/u.test(text) ? text : text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
