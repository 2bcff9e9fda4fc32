// The connection to the server: questions with answers, and streams. It comes back by itself.

import type { Ask, Reply, ReplyOf } from './messages.js';

type Handler = (reply: Reply) => void;

/** The server did not answer as asked; the text is for people. */
export class Refused extends Error {}

export class Link {
  private socket: WebSocket | null = null;
  private handlers = new Map<number, Handler>();
  private lastId = 0;
  private patience = 250;
  private waiting: string[] = [];

  /**
   * @param onState called with whether the server is there; on a return, pages ask anew.
   * @param onNotice called with what people should know.
   */
  constructor(
    private onState: (online: boolean) => void,
    private onNotice: (text: string) => void,
  ) {
    this.connect();
  }

  private connect(): void {
    const socket = new WebSocket(`ws://${location.host}/socket`);
    this.socket = socket;
    socket.onopen = () => {
      this.patience = 250;
      for (const text of this.waiting.splice(0)) socket.send(text);
      this.onState(true);
    };
    socket.onmessage = event => this.take(JSON.parse(String(event.data)));
    socket.onclose = () => {
      this.socket = null;
      const handlers = [...this.handlers.values()];
      this.handlers.clear();
      this.waiting = [];
      this.onState(false);
      for (const handler of handlers) handler({ is: 'error', text: 'the server is not reachable' });
      setTimeout(() => this.connect(), this.patience);
      this.patience = Math.min(this.patience * 2, 4000);
    };
  }

  private take(answer: Reply & { id: number }): void {
    if (answer.is === 'notice') this.onNotice(answer.text);
    const handler = this.handlers.get(answer.id);
    if (handler) handler(answer);
    else if (answer.is === 'error' && answer.id === 0) this.onNotice(answer.text);
  }

  private send(ask: Ask, handler: Handler): number {
    const id = ++this.lastId;
    this.handlers.set(id, handler);
    const text = JSON.stringify({ id, ask });
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    else this.waiting.push(text);
    return id;
  }

  /** Asks for one answer of the kind `is`. */
  ask<Is extends Reply['is']>(is: Is, ask: Ask): Promise<ReplyOf<Is>> {
    return new Promise((resolve, reject) => {
      const id = this.send(ask, reply => {
        if (reply.is === 'notice') return;
        if (reply.is === 'lines' && is !== 'lines') return;
        this.handlers.delete(id);
        if (reply.is === is) resolve(reply as ReplyOf<Is>);
        else reject(new Refused(reply.is === 'error' ? reply.text : `unexpected answer ${reply.is}`));
      });
    });
  }

  /** Asks for a stream of answers; the returned function stops listening. */
  listen(ask: Ask, handler: Handler): () => void {
    const id = this.send(ask, handler);
    return () => this.handlers.delete(id);
  }

  /** Sends something whose answer does not matter. */
  tell(ask: Ask): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    const id = this.send(ask, () => this.handlers.delete(id));
  }
}
