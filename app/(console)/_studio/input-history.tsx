"use client";

import { ChevronDown, ChevronUp } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../_ui/button.tsx";
import { earlierInputs } from "./earlier-inputs.ts";
import { useStudio } from "./studio-context.ts";

/** Leads through the inputs that were sent before. */
export function InputHistory({ onChoose }: { onChoose: (input: unknown) => void }) {
  const { deployment, graph } = useStudio();
  const [inputs] = useState(() => earlierInputs("inputs", deployment, graph));
  const [at, setAt] = useState(-1);
  if (inputs.length === 0) return null;
  const choose = (index: number) => {
    setAt(index);
    onChoose(inputs[index]);
  };
  return (
    <div className="flex items-center gap-1 text-small text-ink-2">
      <span className="flex-1">
        {at < 0 ? `${inputs.length} earlier inputs` : `Earlier input ${at + 1} of ${inputs.length}`}
      </span>
      <IconButton size="small" label="Earlier input" disabled={at >= inputs.length - 1} onClick={() => choose(at + 1)}>
        <ChevronUp />
      </IconButton>
      <IconButton size="small" label="Later input" disabled={at <= 0} onClick={() => choose(at - 1)}>
        <ChevronDown />
      </IconButton>
    </div>
  );
}
