/** Says in plain words when a schedule of five fields fires. */

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const NTH = ["first", "second", "third", "fourth", "fifth"];

/** At most this many times of day are listed; more are described by their minutes and hours. */
const MOST_TIMES = 4;

/** Turns a number or name of a field into words; undefined for what the field does not know. */
type Namer = (text: string) => string | undefined;

const numberIn =
  (least: number, most: number): Namer =>
  (text) =>
    /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most ? String(Number(text)) : undefined;

const isMinute = numberIn(0, 59);
const isHour = numberIn(0, 23);
const isDay = numberIn(1, 31);
const monthName: Namer = (text) => MONTHS[Number(text) - 1] ?? named(MONTHS, text);
const weekday: Namer = (text) => WEEKDAYS[/^[0-7]$/.test(text) ? Number(text) % 7 : -1] ?? named(WEEKDAYS, text);

function named(names: readonly string[], text: string): string | undefined {
  return text.length === 3 ? names.find((name) => name.slice(0, 3).toLowerCase() === text.toLowerCase()) : undefined;
}

/** Returns the words of a schedule, such as `At 07:30, Monday to Friday`; undefined for one that it cannot describe. */
export function cronWords(schedule: string): string | undefined {
  const [minute = "", hour = "", day = "", month = "", week = "", ...more] = schedule.trim().split(/\s+/);
  if (week === "" || more.length > 0) return undefined;
  const time = timeWords(minute, hour);
  const days = dayWords(day, week);
  const months = month === "*" ? "" : listed(month, monthName);
  if (time === undefined || days === undefined || months === undefined) return undefined;
  return [time, days, months && `in ${months}`].filter((part) => part !== "").join(", ");
}

function timeWords(minute: string, hour: string): string | undefined {
  const times = timesOf(minute, hour);
  if (times) return `At ${joined(times)}`;
  const step = stepOf(minute, 59);
  const minutes = listed(minute, isMinute);
  const hours = hourWords(hour);
  if (hours === undefined) return undefined;
  if (minute === "*") return `Every minute${hours && `, ${hours}`}`;
  if (step !== undefined) return `Every ${step} minutes${hours && `, ${hours}`}`;
  if (minutes === undefined) return undefined;
  return `At minute ${minutes}, ${hours || "every hour"}`;
}

function hourWords(hour: string): string | undefined {
  if (hour === "*") return "";
  const step = stepOf(hour, 23);
  if (step !== undefined) return `every ${step} hours`;
  const hours = listed(hour, isHour);
  return hours && `in the hours ${hours}`;
}

/** Returns the times of day if both fields are lists of a few numbers. */
function timesOf(minute: string, hour: string): string[] | undefined {
  const minutes = minute.split(",").map(isMinute);
  const hours = hour.split(",").map(isHour);
  if (minutes.length * hours.length > MOST_TIMES) return undefined;
  const two = (text: string): string => text.padStart(2, "0");
  const times = hours.flatMap((h) =>
    minutes.map((m) => (h === undefined || m === undefined ? "" : `${two(h)}:${two(m)}`)),
  );
  return times.includes("") ? undefined : times;
}

function dayWords(day: string, week: string): string | undefined {
  const weekdays = week === "*" ? "" : listed(week, weekdayOrNth);
  const days = day === "*" ? "" : day.toUpperCase() === "L" ? "on the last day of the month" : onDays(day);
  if (weekdays === undefined || days === undefined) return undefined;
  // If both fields are set, a time has to match only one of them.
  return days && weekdays ? `${days} or on ${weekdays}` : days || weekdays;
}

function onDays(day: string): string | undefined {
  const days = listed(day, isDay);
  return days && `on day ${days} of the month`;
}

/** `1#2` is the second Monday of the month. */
const weekdayOrNth: Namer = (text) => {
  const [, name = text, nth] = /^(.+)#([1-5])$/.exec(text) ?? [];
  const found = weekday(name);
  return nth === undefined ? found : found && `the ${NTH[Number(nth) - 1]} ${found} of the month`;
};

/** Returns n of a field that is every n-th value from the first on. */
function stepOf(field: string, most: number): number | undefined {
  const step = Number(/^\*\/(\d+)$/.exec(field)?.[1]);
  return step > 1 && step <= most ? step : undefined;
}

/** Describes a list of values, ranges and ranges with steps. */
function listed(field: string, nameOf: Namer): string | undefined {
  const items = field.split(",").map((item) => {
    const [, from = "", to, step] = /^([^-/]+)(?:-([^-/]+))?(?:\/(\d+))?$/.exec(item) ?? [];
    const first = nameOf(from);
    if (to === undefined) return step === undefined ? first : undefined;
    const last = nameOf(to);
    if (first === undefined || last === undefined) return undefined;
    return step === undefined
      ? `${first} to ${last}`
      : `every ${NTH[Number(step) - 1] ?? `${step}th`} of ${first} to ${last}`;
  });
  const known = items.filter((item) => item !== undefined);
  return known.length === items.length ? joined(known) : undefined;
}

function joined(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}
