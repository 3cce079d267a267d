import { AppConfig, AuthConfig, CheckpointerConfig } from "../../protocol/config.ts";
import { HttpConfig } from "../../protocol/http-config.ts";
import { isObject } from "../../protocol/json.ts";
import { StoreConfig } from "../../protocol/store.ts";
import { WebhooksConfig } from "../../protocol/webhooks.ts";

/** A setting of the configuration that does not do what its author may expect. */
export interface ConfigNote {
  /** The setting as a path: `checkpointer.path`. */
  setting: string;
  why: string;
}

/** The known settings by section. */
const SECTIONS: ReadonlyMap<keyof AppConfig, object> = new Map<keyof AppConfig, object>([
  ["auth", AuthConfig.shape],
  ["checkpointer", CheckpointerConfig.shape],
  ["http", HttpConfig.shape],
  ["store", StoreConfig.shape],
  ["webhooks", WebhooksConfig.shape],
]);

/** Settings for editors, Python or images that change nothing here. They get no note, because nobody misses them. */
const WITHOUT_NOTE = new Set([
  "$schema",
  "_INTERNAL_docker_tag",
  "api_version",
  "dependencies",
  "image_distro",
  "keep_pkg_tools",
  "pip_config_file",
  "pip_installer",
  "python_version",
]);

const NO_IMAGE = "no image is built, the application runs on this machine";
const NO_UI = "components of an application are not served";
const WITHOUT_EFFECT: ReadonlyMap<string, string> = new Map([
  ["base_image", NO_IMAGE],
  ["checkpointer.path", "the server keeps the checkpoints itself"],
  ["checkpointer.serde", "checkpoints are kept as JSON"],
  ["docker_compose_file", NO_IMAGE],
  ["dockerfile_lines", NO_IMAGE],
  ["encryption", "what is stored is not encrypted"],
  ["node_loader", "files are loaded as they are, TypeScript too"],
  ["source", NO_IMAGE],
  ["ui", NO_UI],
  ["ui_config", NO_UI],
]);

/** Returns notes on settings that have no effect, or an effect that the author should know of. */
export function configNotes(config: AppConfig): ConfigNote[] {
  const notes = withoutEffect("", config, AppConfig.shape);
  for (const [section, known] of SECTIONS) notes.push(...withoutEffect(`${section}.`, config[section], known));
  const { cache, disable_studio_auth } = config.auth ?? {};
  if (cache?.cache_keys.length === 0) {
    notes.push({
      setting: "auth.cache",
      why: "nothing is cached: name the headers that tell callers apart in cache_keys",
    });
  }
  if (disable_studio_auth === false) {
    const why =
      "where the server has no key, whoever sends x-auth-scheme: langsmith is admitted without authentication";
    notes.push({ setting: "auth.disable_studio_auth", why });
  }
  return notes;
}

function withoutEffect(prefix: string, section: unknown, known: object): ConfigNote[] {
  const names = isObject(section) ? Object.keys(section).filter((name) => !Object.hasOwn(known, name)) : [];
  const settings = names.map((name) => prefix + name).filter((setting) => !WITHOUT_NOTE.has(setting));
  return settings.map((setting) => ({ setting, why: WITHOUT_EFFECT.get(setting) ?? "no such setting is known" }));
}
