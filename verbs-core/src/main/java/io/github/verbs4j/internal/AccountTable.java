package io.github.verbs4j.internal;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The accounts of the queue pairs that complete into one completion queue, by queue pair number. Lookups take no lock:
 * every change makes a new table.
 */
public final class AccountTable {
    /** Completions of so many closed queue pairs are told apart. */
    private static final int RETIRED = 1000;

    private volatile QueuePairAccount[] table = new QueuePairAccount[2];
    private int size;
    private final Deque<QueuePairAccount> retired = new ArrayDeque<>(0);

    /** Starts empty. */
    public AccountTable() {}

    /**
     * {@return the account of a queue pair, null if it is gone}
     *
     * @param number the queue pair's number
     */
    public QueuePairAccount find(int number) {
        QueuePairAccount[] accounts = table;
        int mask = accounts.length - 1;
        for (int i = slot(number, mask); ; i = (i + 1) & mask) {
            QueuePairAccount account = accounts[i];
            if (account == null || account.number() == number) {
                return account;
            }
        }
    }

    /**
     * Adds an account. An older one of the same number is of a queue pair that is gone, and is replaced.
     *
     * @param account the account
     */
    public synchronized void add(QueuePairAccount account) {
        QueuePairAccount[] old = table;
        int length = (size + 1) * 2 > old.length ? old.length * 2 : old.length;
        table = copy(old, length, account, account.number());
        size = count(table);
    }

    /**
     * Removes an account, if it is there.
     *
     * @param account the account
     */
    public synchronized void remove(QueuePairAccount account) {
        if (find(account.number()) == account) {
            table = copy(table, table.length, null, account.number());
            size = count(table);
        }
    }

    /**
     * Keeps the account of a queue pair that is gone for a while, because completions that it left behind still free
     * slots of a shared queue. There can be but a few of these, so the oldest goes when there are many.
     *
     * @param account the account
     */
    public synchronized void retire(QueuePairAccount account) {
        retired.addLast(account);
        if (retired.size() > RETIRED) {
            remove(retired.removeFirst());
        }
    }

    private static QueuePairAccount[] copy(QueuePairAccount[] old, int length, QueuePairAccount added, int without) {
        QueuePairAccount[] fresh = new QueuePairAccount[length];
        for (QueuePairAccount account : old) {
            if (account != null && account.number() != without) {
                insert(fresh, account);
            }
        }
        if (added != null) {
            insert(fresh, added);
        }
        return fresh;
    }

    private static void insert(QueuePairAccount[] accounts, QueuePairAccount account) {
        int mask = accounts.length - 1;
        int i = slot(account.number(), mask);
        while (accounts[i] != null) {
            i = (i + 1) & mask;
        }
        accounts[i] = account;
    }

    private static int count(QueuePairAccount[] accounts) {
        int count = 0;
        for (QueuePairAccount account : accounts) {
            count += account == null ? 0 : 1;
        }
        return count;
    }

    private static int slot(int number, int mask) {
        return (number * 0x9e3779b9 >>> 16) & mask;
    }
}
