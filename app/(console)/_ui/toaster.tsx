"use client";

import { Toast as Base } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { Button } from "./button.tsx";
import { Dot, type Tone } from "./status.tsx";
import { openOutlet, type ToastAction } from "./toast.ts";

interface Shown {
  readonly tone: Tone;
  readonly action?: ToastAction;
}

const SHORT_MS = 5000;
/** A toast with a button or with a failure gives more time to read and to reach it. */
const LONG_MS = 10_000;

/** The default role, `dialog`, is announced as a window and would hold back keys of the page. */
const GROUP = { role: "group", "aria-modal": undefined };

const manager = Base.createToastManager<Shown>();

/** Shows toasts: at the bottom right, and over the full width on phones. `F6` moves the focus to them. */
export default function Toaster() {
  useEffect(
    () =>
      openOutlet({
        show: ({ id, title, detail, tone = "neutral", action, stays = false }) =>
          void manager.add({
            id,
            title,
            description: detail,
            timeout: stays ? 0 : action || tone === "bad" ? LONG_MS : SHORT_MS,
            data: { tone, action },
          }),
        close: (id) => manager.close(id),
      }),
    [],
  );
  return (
    <Base.Provider toastManager={manager} limit={3}>
      <Base.Portal>
        <Base.Viewport className="fixed inset-x-4 bottom-4 z-50 flex flex-col-reverse gap-2 outline-none sm:left-auto sm:w-92">
          <Toasts />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function Toasts() {
  const { toasts } = Base.useToastManager<Shown>();
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      {...GROUP}
      className="rounded-card border border-line-strong bg-raised shadow-float transition-[opacity,translate,display] transition-discrete duration-180 data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-2 data-starting-style:opacity-0"
    >
      <Base.Content className="flex items-start gap-3 py-3 pr-2 pl-4">
        <span className="flex h-5 items-center">
          <Dot tone={toast.data?.tone ?? "neutral"} />
        </span>
        <div className="min-w-0 flex-1">
          <Base.Title render={<p />} className="font-medium wrap-anywhere" />
          <Base.Description className="mt-0.5 line-clamp-3 text-small wrap-anywhere text-ink-2" />
        </div>
        <div className="-my-1.5 flex shrink-0 items-center gap-1">
          {toast.data?.action ? <Action action={toast.data.action} onDone={() => manager.close(toast.id)} /> : null}
          <Base.Close
            aria-label="Dismiss"
            // The library hides it from screen readers until the pointer is over the toasts.
            aria-hidden={false}
            title="Dismiss"
            className="inline-flex size-8 items-center justify-center rounded-control text-ink-3 hover:bg-well hover:text-ink pointer-coarse:size-10"
          >
            <X className="size-3.5" />
          </Base.Close>
        </div>
      </Base.Content>
    </Base.Root>
  ));
}

function Action({ action, onDone }: { action: ToastAction; onDone: () => void }) {
  const router = useRouter();
  const act = () => {
    if ("href" in action) router.push(action.href);
    else action.onAction();
    onDone();
  };
  return (
    <Button variant="quiet" className="px-2.5! text-accent!" onClick={act}>
      {action.label}
    </Button>
  );
}
