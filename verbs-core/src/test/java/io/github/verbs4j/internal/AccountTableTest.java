package io.github.verbs4j.internal;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountTableTest {

    private static QueuePairAccount account(int number) {
        return new QueuePairAccount("a queue pair", number, "fake0", Slots.ofSends(1), Slots.ofReceives(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 40, 400, 1 << 24})
    void shouldAgreeWithAMap(int numbers) {
        Random random = new Random(numbers);
        AccountTable table = new AccountTable();
        Map<Integer, QueuePairAccount> map = new HashMap<>();
        List<QueuePairAccount> ever = new ArrayList<>();
        for (int round = 0; round < 5_000; round++) {
            int number = random.nextInt(numbers);
            if (map.size() < 300 && random.nextBoolean()) {
                QueuePairAccount account = account(number);
                table.add(account);
                map.put(number, account);
                ever.add(account);
            } else if (!ever.isEmpty()) {
                QueuePairAccount some = ever.get(random.nextInt(ever.size()));
                table.remove(some);
                map.remove(some.number(), some);
            }
            assertSame(map.get(number), table.find(number));
            if (round % 100 == 0) {
                map.forEach((key, account) -> assertSame(account, table.find(key)));
                ever.forEach(account -> assertSame(map.get(account.number()), table.find(account.number())));
            }
        }
    }

    @Test
    void shouldFindNothingWhenEmpty() {
        AccountTable table = new AccountTable();
        for (int number : new int[] {0, 1, -1, 17, 0xff_ffff}) {
            assertNull(table.find(number));
        }
    }

    @Test
    void shouldReplaceAnAccountWhoseNumberIsUsedAgain() {
        AccountTable table = new AccountTable();
        QueuePairAccount older = account(17);
        QueuePairAccount newer = account(17);
        table.add(older);
        table.add(newer);
        assertSame(newer, table.find(17));

        table.remove(older);
        assertSame(newer, table.find(17), "only the account itself is removed");
        table.remove(newer);
        assertNull(table.find(17));
        table.remove(newer);
    }

    @Test
    void shouldKeepAThousandAccountsOfQueuePairsThatAreGone() {
        AccountTable table = new AccountTable();
        List<QueuePairAccount> accounts = new ArrayList<>();
        for (int number = 0; number < 1002; number++) {
            accounts.add(account(number));
            table.add(accounts.getLast());
            table.retire(accounts.getLast());
        }
        assertNull(table.find(0));
        assertNull(table.find(1));
        for (int number = 2; number < 1002; number++) {
            assertSame(accounts.get(number), table.find(number));
        }

        QueuePairAccount newer = account(2);
        table.add(newer);
        table.retire(account(5000));
        assertSame(newer, table.find(2), "the number was used again");
    }

    @Test
    void shouldHoldOneAccountOnceHoweverOftenItIsAdded() {
        AccountTable table = new AccountTable();
        QueuePairAccount account = account(17);
        for (int i = 0; i < 1000; i++) {
            table.add(account);
        }
        table.remove(account);
        assertNull(table.find(17));
    }

    @Test
    @Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldFindWhatStaysWhileOthersComeAndGo() throws InterruptedException {
        AccountTable table = new AccountTable();
        QueuePairAccount staying = account(5);
        table.add(staying);
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<QueuePairAccount> wrong = new AtomicReference<>(staying);
        Thread reader = Thread.ofPlatform().daemon().start(() -> {
            while (!done.get()) {
                QueuePairAccount found = table.find(5);
                if (found != staying) {
                    wrong.set(found);
                }
            }
        });
        List<QueuePairAccount> others = new ArrayList<>();
        for (int round = 0; round < 300; round++) {
            for (int i = 0; i < 20; i++) {
                others.add(account(1000 + round * 20 + i));
                table.add(others.getLast());
            }
            others.forEach(table::remove);
            others.clear();
        }
        done.set(true);
        reader.join();
        assertSame(staying, wrong.get());
    }
}
