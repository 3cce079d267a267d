// The names that people use for units, the unit's name in mathjs, and its label. Pure.

export type Unit = { unit: string; label: string };

/** mathjs unit | label | aliases. An alias is tried as written first, then in lower case, then without a plural s. */
const TABLE = `
m|m|meter,metre
km|km|kilometer,kilometre,kms
cm|cm|centimeter,centimetre
mm|mm|millimeter,millimetre
um|µm|micrometer,micrometre,micron,µm
nm|nm|nanometer,nanometre
inch|in|inch,inches,",″
foot|ft|foot,feet,′
yard|yd|yard
mile|mi|mile
nauticalmile|nmi|nautical mile,nautical miles,sea mile
lightyear|ly|light year,light-year,light years,light-years,lightyear
mg|mg|milligram,milligramme
g|g|gram,gramme,gr
kg|kg|kilogram,kilogramme,kilo,kgs
tonne|t|tonne,metric ton,metric tons
ounce|oz|ounce,ozs
poundmass|lb|pound,lbs
stone|st|stone
ton|short ton|ton,short ton,short tons
s|s|second,sec
ms|ms|millisecond,msec
minute|min|minute,mins
hour|h|hour,hr
day|days|day,d
week|weeks|week,wk
month|months|month
year|years|year,yr
decade|decades|decade
century|centuries|century,centuries
l|l|liter,litre,ltr
dl|dl|deciliter,decilitre
cl|cl|centiliter,centilitre
ml|ml|milliliter,millilitre
gallon|gal|gallon,us gallon,us gallons
quart|qt|quart
pint|pt|pint
cup|cups|cup
fluidounce|fl oz|fluid ounce,fluid ounces,floz,fl. oz
tablespoon|tbsp|tablespoon,tbs
teaspoon|tsp|teaspoon
m^3|m³|m3,cubic meter,cubic metre,cubic meters,cubic metres
cm^3|cm³|cm3,cc,cubic centimeter,cubic centimetre,cubic centimeters,cubic centimetres
m^2|m²|m2,sqm,square meter,square metre,square meters,square metres
km^2|km²|km2,square kilometer,square kilometre,square kilometers,square kilometres
hectare|ha|hectare
acre|acres|acre
sqft|sq ft|square foot,square feet,ft2,ft²,sq. ft
sqmi|sq mi|square mile,square miles,mi2
km/hour|km/h|kmh,kph,kmph,kilometers per hour,kilometres per hour,km per hour
mile/hour|mph|miles per hour,mile per hour,mi/h
m/s|m/s|meters per second,metres per second,mps
foot/s|ft/s|feet per second,fps
knot|kn|knot,kt
degC|°C|c,celsius,centigrade,degc,deg c,degree celsius,degrees celsius,degrees c,degrees centigrade,° c
degF|°F|f,fahrenheit,farenheit,degf,deg f,degree fahrenheit,degrees fahrenheit,degrees f,° f
K|K|kelvin,k,degrees kelvin
b|bits|bit
kb|kbit|Kb,kbit,kilobit
Mb|Mbit|Mbit,megabit
Gb|Gbit|Gbit,gigabit
B|bytes|byte
kB|kB|KB,kb,kilobyte
MB|MB|mb,megabyte,meg
GB|GB|gb,gigabyte,gig
TB|TB|tb,terabyte
PB|PB|pb,petabyte
KiB|KiB|kib,kibibyte
MiB|MiB|mib,mebibyte
GiB|GiB|gib,gibibyte
TiB|TiB|tib,tebibyte
J|J|joule
kJ|kJ|kj,kilojoule
MJ|MJ|megajoule
calorie|cal|calorie,calories
kilocalorie|kcal|kilocalorie,kilocalories,Cal
Wh|Wh|wh,watt hour,watt hours
kWh|kWh|kwh,kilowatt hour,kilowatt hours,kilowatt-hour,kilowatt-hours
BTU|BTU|btu
W|W|watt
kW|kW|kw,kilowatt
MW|MW|megawatt
hp|hp|horsepower,horse power
Pa|Pa|pa,pascal
hPa|hPa|hpa,hectopascal
kPa|kPa|kpa,kilopascal
bar|bar|bar
mbar|mbar|millibar
atm|atm|atmosphere
psi|psi|psi,pounds per square inch
mmHg|mmHg|mmhg,millimeters of mercury
N|N|newton
lbf|lbf|pound-force,pound force
deg|°|degree,deg
rad|rad|radian
Hz|Hz|hz,hertz
kHz|kHz|khz,kilohertz
MHz|MHz|mhz,megahertz
GHz|GHz|ghz,gigahertz`;

const CURRENCIES = new Set(
  (
    "$,€,£,¥,₹,usd,eur,gbp,jpy,chf,cad,aud,nzd,cny,inr,brl,mxn,sek,nok,dkk,pln,czk,krw,rub,try,zar,btc,eth,dollar,dollars," +
    "us dollar,us dollars,euro,euros,british pound,british pounds,pounds sterling,sterling,yen,swiss franc,swiss francs," +
    "franc,francs,rupee,rupees,yuan,renminbi,peso,pesos,real,reais,krona,krone,kroner,zloty,won,ruble,rubles,lira,rand," +
    "bitcoin,bitcoins,ether,cent,cents"
  ).split(","),
);

const units = new Map<string, Unit>();
for (const line of TABLE.trim().split("\n")) {
  const [unit = "", label = unit, aliases = ""] = line.split("|");
  for (const alias of [unit, label, ...aliases.split(",")]) if (!units.has(alias)) units.set(alias, { unit, label });
}

export function findUnit(name: string): Unit | undefined {
  const written = name.trim().replace(/\s+/gu, " ");
  const lower = written.toLowerCase();
  return units.get(written) ?? units.get(lower) ?? (/.{2}s$/u.test(lower) ? units.get(lower.slice(0, -1)) : undefined);
}

export function isCurrency(name: string): boolean {
  return CURRENCIES.has(name.trim().toLowerCase());
}

export const allUnits: readonly Unit[] = [...new Set(units.values())];
