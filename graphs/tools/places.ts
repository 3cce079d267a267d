// Finds time zones by the names that people use. Pure: Intl knows the zones, and the table adds further names.

/** IANA zone | further names. The city in a zone's own name (Europe/Paris) is known without an entry. */
const TABLE = `
UTC|utc,gmt,z,zulu,greenwich,greenwich mean time,coordinated universal time
America/New_York|new york city,nyc,boston,washington,washington dc,washington d.c.,miami,atlanta,philadelphia,orlando,est,edt,eastern time,et,us east coast,east coast
America/Chicago|dallas,houston,austin,san antonio,minneapolis,new orleans,texas,cst,cdt,central time
America/Denver|salt lake city,colorado,mst,mdt,mountain time
America/Phoenix|arizona
America/Los_Angeles|la,san francisco,sf,seattle,san diego,las vegas,portland,california,silicon valley,palo alto,pst,pdt,pacific time,us west coast,west coast
Pacific/Honolulu|hawaii
America/Toronto|ottawa,montreal,quebec
America/Vancouver|british columbia
America/Edmonton|calgary
America/Mexico_City|mexico,guadalajara
America/Sao_Paulo|são paulo,rio,rio de janeiro,brasilia,brazil
America/Argentina/Buenos_Aires|buenos aires,argentina
America/Santiago|chile
America/Bogota|bogotá,colombia,medellin
America/Lima|peru
Europe/London|uk,england,britain,great britain,united kingdom,scotland,wales,manchester,edinburgh,cambridge,oxford,bst
Europe/Dublin|ireland
Europe/Lisbon|portugal,porto
Europe/Paris|france,lyon,marseille,nice,cet,cest
Europe/Berlin|germany,munich,münchen,hamburg,frankfurt,cologne,köln,stuttgart,leipzig
Europe/Madrid|spain,barcelona,valencia,seville
Europe/Rome|italy,milan,milano,naples,florence,venice,turin
Europe/Zurich|switzerland,zürich,geneva,basel,bern
Europe/Vienna|austria,wien
Europe/Amsterdam|netherlands,the netherlands,holland,rotterdam,the hague
Europe/Brussels|belgium
Europe/Copenhagen|denmark
Europe/Stockholm|sweden,gothenburg
Europe/Oslo|norway
Europe/Helsinki|finland
Europe/Warsaw|poland,krakow
Europe/Prague|czech republic,czechia
Europe/Budapest|hungary
Europe/Athens|greece,eet
Europe/Bucharest|romania
Europe/Kyiv|kiev,kyiv,ukraine
Europe/Istanbul|turkey,ankara
Europe/Moscow|st petersburg,saint petersburg,msk
Africa/Cairo|egypt
Africa/Lagos|nigeria
Africa/Nairobi|kenya
Africa/Johannesburg|south africa,cape town,pretoria
Africa/Casablanca|morocco,marrakesh
Asia/Jerusalem|israel,tel aviv
Asia/Dubai|uae,united arab emirates,abu dhabi
Asia/Riyadh|saudi arabia
Asia/Tehran|iran
Asia/Karachi|pakistan,lahore,islamabad
Asia/Kolkata|india,kolkata,calcutta,delhi,new delhi,mumbai,bombay,bangalore,bengaluru,chennai,hyderabad,pune,ist
Asia/Dhaka|bangladesh
Asia/Kathmandu|nepal,kathmandu
Asia/Bangkok|thailand
Asia/Ho_Chi_Minh|vietnam,hanoi,saigon,ho chi minh city
Asia/Jakarta|bali
Asia/Singapore|singapore
Asia/Kuala_Lumpur|malaysia
Asia/Manila|philippines
Asia/Hong_Kong|hk
Asia/Shanghai|china,beijing,peking,shenzhen,guangzhou
Asia/Taipei|taiwan
Asia/Seoul|korea,south korea,busan,kst
Asia/Tokyo|japan,osaka,kyoto,jst
Australia/Sydney|canberra,aest,aedt
Australia/Perth|awst
Pacific/Auckland|new zealand,wellington`;

const zones = new Map<string, string>();
for (const zone of Intl.supportedValuesOf("timeZone")) {
  zones.set(zone.toLowerCase(), zone);
  const city = zone.split("/").at(-1) ?? zone;
  zones.set(city.replaceAll("_", " ").toLowerCase(), zone);
}
for (const line of TABLE.trim().split("\n")) {
  const [zone = "", names = ""] = line.split("|");
  zones.set(zone.toLowerCase(), zone);
  for (const name of names.split(",")) zones.set(name, zone);
}

/** Returns the zone of a well-known place, if there is one. */
export function findZone(place: string): string | undefined {
  const name = place.trim().toLowerCase().replace(/\s+/gu, " ");
  return zones.get(name) ?? zones.get(name.replaceAll(" ", "_"));
}

export function isZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}
