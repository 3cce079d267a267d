// The scripted model of the support agent knows a topic for each kind of question.

interface Topic {
  readonly name: string;
  readonly asks: RegExp;
  readonly call: { readonly name: string; readonly args: Record<string, string> };
  readonly answer: string;
}

const TOPICS: readonly Topic[] = [
  {
    name: "refund",
    asks: /money back|refund/i,
    call: { name: "search_docs", args: { q: "refund window" } },
    answer: "Yes. Orders that arrive more than **7 days** late are refunded in full (policy 3). I have prepared it:",
  },
  {
    name: "address",
    asks: /address|moved/i,
    call: { name: "search_docs", args: { q: "change of address" } },
    answer: "You can change the address until the parcel leaves our warehouse, under **Orders › Delivery**.",
  },
  {
    name: "invoice",
    asks: /invoice|vat/i,
    call: { name: "find_order", args: { order: "5377" } },
    answer: "The invoice of order 5377 is attached to the message of **3 September**. I have sent it once more.",
  },
  {
    name: "plans",
    asks: /plan|team/i,
    call: { name: "search_docs", args: { q: "plans for teams" } },
    answer: [
      "For twelve people, **Team** is the one to take:",
      "",
      "| plan | people | a month |",
      "| --- | --- | --- |",
      "| Solo | 1 | € 9 |",
      "| **Team** | up to 20 | € 79 |",
      "| Company | any number | € 240 |",
    ].join("\n"),
  },
  {
    name: "voucher",
    asks: /voucher/i,
    call: { name: "find_order", args: { order: "offline" } },
    answer: "",
  },
];

const DELIVERY: Topic = {
  name: "delivery",
  asks: /order|parcel/i,
  call: { name: "find_order", args: { order: "5521" } },
  answer:
    "Order 5521 left Rotterdam on **12 November** and arrived on the 24th, which is *nine days late*. I am sorry.",
};

const DOCUMENTS: Record<string, string> = {
  "refund window": "Policy 3: orders that arrive more than 7 days late are refunded in full.",
  "change of address": "Delivery: an address can be changed until the parcel has left the warehouse.",
  "plans for teams": "Plans: Solo for 1 person, Team for up to 20, Company for any number.",
};

export const topicOf = (question: string): Topic => TOPICS.find(({ asks }) => asks.test(question)) ?? DELIVERY;

export const topicNamed = (name: string): Topic => TOPICS.find((topic) => topic.name === name) ?? DELIVERY;

export const documentOn = (subject: string): string => DOCUMENTS[subject] ?? "There is no document on this.";
