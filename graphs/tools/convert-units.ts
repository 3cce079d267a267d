import { tool } from "@langchain/core/tools";
import { ConvertUnitsInput } from "./contract.ts";
import { loadMath } from "./math.ts";
import { findUnit, isCurrency, type Unit } from "./units.ts";

/** Returns a unit of the table by any of its names, or else what mathjs reads as one, such as kg m / s^2. */
function unitNamed(name: string): Unit {
  const known = findUnit(name);
  if (known) return known;
  if (isCurrency(name)) {
    throw new Error(
      `"${name}" is a currency. Rates change all the time; only units with a fixed ratio can be converted.`,
    );
  }
  try {
    loadMath().math.unit(1, name);
    return { unit: name, label: name };
  } catch {
    throw new Error(`"${name}" is no unit that I know.`);
  }
}

function format(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  return loadMath().math.format(value, { precision: 10, lowerExp: -9, upperExp: 15 });
}

export function convert(value: number, fromName: string, toName: string): { from: string; to: string; value: string } {
  const from = unitNamed(fromName);
  const to = unitNamed(toName);
  const quantity = loadMath().math.unit(value, from.unit);
  if (!quantity.equalBase(loadMath().math.unit(1, to.unit))) {
    throw new Error(`"${fromName}" and "${toName}" measure different things, so one cannot become the other.`);
  }
  const converted = format(quantity.toNumber(to.unit));
  return { from: `${format(value)} ${from.label}`, to: `${converted} ${to.label}`, value: converted };
}

export const convertUnits = tool(({ value, from, to }) => convert(value, from, to), {
  name: "convert_units",
  description:
    "Converts a quantity between units: length, mass, time, volume, area, speed, temperature, data size, energy, power, " +
    "pressure. Currencies are not convertible.",
  schema: ConvertUnitsInput,
});
