import { describeControl } from "../../protocol/openapi.ts";
import type { controlOperations as operations } from "../../protocol/operations/control.ts";
import { publicUrl } from "../../rules/public-url.ts";
import type { ControlHandler } from "./endpoint.ts";

export const openapi: ControlHandler<typeof operations.openapi> = ({ platform, settings, request }) =>
  Promise.resolve(
    Response.json(describeControl({ version: platform.version, url: publicUrl(request.headers, settings) })),
  );
