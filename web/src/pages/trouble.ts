// The message for a page that has no current state: the daemon, the broker or the node is away.
import type { Bus } from "../bus";
import type { NodeStatus } from "../match";
import type { Key } from "../text";

/** Attempts, a second apart, after which a daemon that does not answer is said to be away. */
export const FAILURES_BEFORE_TROUBLE = 4;

/** Undefined without an error, and at first, while the page is connecting. */
export function troubleOf(bus: Bus, node: string): Key | undefined {
  if (!bus.connected) {
    if (bus.brokerAway) return "trouble.broker";
    return bus.failures >= FAILURES_BEFORE_TROUBLE ? "trouble.daemon" : undefined;
  }
  const online = bus.read<NodeStatus>(`oche/${node}/status`)?.state === "online";
  return bus.settled && !online ? "trouble.node" : undefined;
}
