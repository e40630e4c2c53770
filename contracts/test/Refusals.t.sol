// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Factory} from "../src/Factory.sol";
import {
    BurningDestination,
    CallingDestination,
    Delegator,
    RefusingDestination,
    SpendingDestination,
    VerboseDestination
} from "./Destinations.sol";
import {FactoryTest} from "./FactoryTest.sol";
import {FalseToken} from "./tokens/FalseToken.sol";
import {ReentrantToken} from "./tokens/ReentrantToken.sol";
import {Stablecoin} from "./tokens/Stablecoin.sol";
import {StandardToken} from "./tokens/StandardToken.sol";
import {TestToken} from "./tokens/TestToken.sol";

/// @notice Uses all gas for one sender.
contract BurningToken is TestToken {
    address public burnsFor;

    function setBurnsFor(address account) external {
        burnsFor = account;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        while (burnsFor == msg.sender) {}
        _move(msg.sender, to, amount);
        return true;
    }
}

/// @notice Spends 100 000 gas on a transfer.
contract SpendingToken is TestToken {
    function transfer(address to, uint256 amount) external returns (bool) {
        uint256 gasBefore = gasleft();
        while (gasBefore - gasleft() < 100_000) {}
        _move(msg.sender, to, amount);
        return true;
    }
}

/// @notice Sends coins without a call.
contract ForcedPayment {
    constructor(address payable to) payable {
        selfdestruct(to);
    }
}

/// @notice Has balances of fewer than 32 bytes.
contract ShortToken {
    fallback(bytes calldata) external returns (bytes memory) {
        return hex"01";
    }
}

/// @notice Tokens, destinations and callers that don't behave.
contract RefusalsTest is FactoryTest {
    StandardToken private token = new StandardToken();

    /// @dev Sweeps three wallets and expects that the second keeps its money and the others pay.
    function _expectSecondToFail(address bad) private {
        vm.expectEmit(address(factory));
        emit Factory.SweepFailed(_wallet(2), bad);
        vm.assertEq(_sweep(3, bad), 2);
    }

    function test_a_token_that_returns_false_for_one_wallet_blocks_no_other() external {
        FalseToken bad = new FalseToken();
        for (uint256 i = 1; i <= 3; ++i) {
            bad.mint(_wallet(i), 10);
        }
        bad.setRefused(_wallet(2), true);
        _expectSecondToFail(address(bad));
        vm.assertEq(bad.balanceOf(DESTINATION), 20);
        bad.setRefused(_wallet(2), false);
        vm.assertEq(_sweep(3, address(bad)), 1);
        vm.assertEq(bad.balanceOf(DESTINATION), 30);
    }

    function test_a_blocked_wallet_blocks_no_other_and_pays_when_it_is_unblocked() external {
        Stablecoin usdc = new Stablecoin();
        for (uint256 i = 1; i <= 3; ++i) {
            usdc.mint(_wallet(i), 10);
        }
        usdc.setBlacklisted(_wallet(2), true);
        _expectSecondToFail(address(usdc));
        usdc.setBlacklisted(_wallet(2), false);
        vm.assertEq(_sweep(3, address(usdc)), 1);
        vm.assertEq(usdc.balanceOf(DESTINATION), 30);
    }

    function test_a_paused_token_or_blocked_destination_leaves_the_money_and_other_tokens_alone() external {
        Stablecoin usdc = new Stablecoin();
        usdc.mint(_wallet(1), 10);
        token.mint(_wallet(1), 20);
        usdc.setPaused(true);
        vm.assertEq(_sweep(1, address(usdc)), 0);
        usdc.setPaused(false);
        usdc.setBlacklisted(DESTINATION, true);
        vm.assertEq(_sweep(1, address(usdc)), 0);
        vm.assertEq(usdc.balanceOf(_wallet(1)), 10);
        vm.assertEq(_sweep(1, address(token)), 1);
        vm.assertEq(token.balanceOf(DESTINATION), 20);
    }

    function test_what_is_no_token_fails_and_deploys_nothing() external {
        address short = address(new ShortToken());
        address[4] memory notTokens = [address(0xEEEE), short, address(factory), _wallet(7)];
        for (uint256 i = 0; i < notTokens.length; ++i) {
            vm.expectEmit(address(factory));
            emit Factory.SweepFailed(_wallet(1), notTokens[i]);
            vm.assertEq(_sweep(1, notTokens[i]), 0);
            vm.assertEq(_wallet(1).code.length, 0);
        }
    }

    function test_precompiled_contracts_as_tokens_move_nothing() external {
        _send(_wallet(1), 5);
        for (uint160 number = 1; number <= 17; ++number) {
            bytes memory call = abi.encodeCall(Factory.sweep, (DESTINATION, _salts(1), address(number)));
            // Some of them use all gas when the input makes no sense to them.
            (bool success, bytes memory answer) = address(factory).call{gas: 1_000_000}(call);
            if (success) vm.assertEq(abi.decode(answer, (uint256)), 0);
        }
        vm.assertEq(_wallet(1).balance, 5);
    }

    function test_a_token_that_uses_all_gas_for_one_wallet_is_swept_without_it() external {
        BurningToken bad = new BurningToken();
        for (uint256 i = 1; i <= 3; ++i) {
            bad.mint(_wallet(i), 10);
        }
        bad.setBurnsFor(_wallet(3));
        (bool success, bytes memory reason) =
            address(factory).call{gas: 5_000_000}(abi.encodeCall(Factory.sweep, (DESTINATION, _salts(3), address(bad))));
        vm.assertFalse(success);
        vm.assertEq(reason, abi.encodePacked(Factory.OutOfGas.selector));
        vm.assertEq(_sweep(2, address(bad)), 2);
        vm.assertEq(bad.balanceOf(DESTINATION), 20);
    }

    function test_a_destination_that_refuses_coins_leaves_them_and_takes_tokens() external {
        address[2] memory destinations = [address(new RefusingDestination()), address(new VerboseDestination())];
        for (uint256 i = 0; i < destinations.length; ++i) {
            address destination = destinations[i];
            address wallet = factory.addressOf(destination, bytes32(uint256(1)));
            _send(wallet, 5);
            token.mint(wallet, 6);
            vm.expectEmit(address(factory));
            emit Factory.SweepFailed(wallet, NATIVE);
            vm.assertEq(factory.sweep(destination, _salts(1), NATIVE), 0);
            vm.assertEq(wallet.balance, 5);
            vm.assertEq(factory.sweep(destination, _salts(1), address(token)), 1);
            vm.assertEq(token.balanceOf(destination), 6);
        }
    }

    function test_a_destination_that_uses_all_gas_reverts_the_sweep_and_takes_tokens() external {
        address destination = address(new BurningDestination());
        address wallet = factory.addressOf(destination, bytes32(uint256(1)));
        _send(wallet, 5);
        token.mint(wallet, 6);
        (bool success, bytes memory reason) =
            address(factory).call{gas: 1_000_000}(abi.encodeCall(Factory.sweep, (destination, _salts(1), NATIVE)));
        vm.assertFalse(success);
        vm.assertEq(reason, abi.encodePacked(Factory.OutOfGas.selector));
        vm.assertEq(wallet.balance, 5);
        vm.assertEq(factory.sweep(destination, _salts(1), address(token)), 1);
        vm.assertEq(token.balanceOf(destination), 6);
    }

    /// @dev The gas of a sweep is estimated by searching the least with which it succeeds.
    function test_a_sweep_with_too_little_gas_reverts_and_never_fails_in_silence() external {
        Stablecoin usdc = new Stablecoin();
        for (uint256 i = 1; i <= 3; ++i) {
            usdc.mint(_wallet(i), 10);
            vm.deal(_wallet(i), 10);
        }
        _expectAllOrNothing(DESTINATION, address(usdc));
        _expectAllOrNothing(DESTINATION, NATIVE);
    }

    function test_gas_that_runs_out_four_contracts_below_a_wallet_reverts_the_sweep() external {
        address destination = address(new SpendingDestination());
        address bad = address(new SpendingToken());
        for (uint256 level = 0; level < 3; ++level) {
            destination = address(new Delegator(destination));
            bad = address(new Delegator(bad));
        }
        for (uint256 i = 1; i <= 3; ++i) {
            address wallet = factory.addressOf(destination, bytes32(i));
            TestToken(bad).mint(wallet, 10);
            vm.deal(wallet, 10);
        }
        _expectAllOrNothing(destination, bad);
        _expectAllOrNothing(destination, NATIVE);
    }

    function _expectAllOrNothing(address destination, address asset) private {
        bytes memory call = abi.encodeCall(Factory.sweep, (destination, _salts(3), asset));
        uint256 reverts;
        uint256 state = vm.snapshotState();
        for (uint256 gas = 20_000; gas < 700_000; gas += 499) {
            (bool success, bytes memory answer) = address(factory).call{gas: gas}(call);
            if (success) vm.assertEq(abi.decode(answer, (uint256)), 3, "an item failed for want of gas");
            else ++reverts;
            vm.revertToState(state);
        }
        vm.assertTrue(reverts > 100 && reverts < 1200, "both are tried");
    }

    function test_a_token_that_sweeps_the_rest_from_its_hook_moves_each_unit_once() external {
        ReentrantToken bad = new ReentrantToken();
        for (uint256 i = 1; i <= 3; ++i) {
            bad.mint(_wallet(i), 10);
        }
        bad.setCall(address(factory), abi.encodeCall(Factory.sweep, (DESTINATION, _salts(3), address(bad))), false);
        vm.assertEq(_sweep(3, address(bad)), 1);
        vm.assertEq(bad.balanceOf(DESTINATION), 30);
    }

    function test_a_token_that_sweeps_before_it_moves_fails_by_itself() external {
        ReentrantToken bad = new ReentrantToken();
        bad.mint(_wallet(1), 10);
        token.mint(_wallet(1), 20);
        bad.setCall(address(factory), abi.encodeCall(Factory.sweep, (DESTINATION, _salts(1), address(bad))), true);
        vm.assertEq(_sweep(1, address(bad)), 0);
        vm.assertEq(bad.balanceOf(_wallet(1)), 10);
        vm.assertEq(_sweep(1, address(token)), 1);
    }

    function test_a_token_cannot_make_a_wallet_pay_another_token_elsewhere() external {
        ReentrantToken bad = new ReentrantToken();
        bad.mint(_wallet(1), 10);
        token.mint(_wallet(1), 10);
        bad.setCall(address(factory), abi.encodeCall(Factory.sweep, (STRANGER, _salts(1), address(token))), true);
        vm.assertEq(_sweep(1, address(bad)), 1);
        vm.assertEq(token.balanceOf(STRANGER), 0);
        vm.assertEq(token.balanceOf(_wallet(1)), 10);
    }

    function test_a_reentrant_destination_gets_each_coin_once() external {
        CallingDestination destination = new CallingDestination();
        for (uint256 i = 1; i <= 3; ++i) {
            _send(factory.addressOf(address(destination), bytes32(i)), 10);
        }
        destination.setCall(address(factory), abi.encodeCall(Factory.sweep, (address(destination), _salts(3), NATIVE)));
        factory.sweep(address(destination), _salts(3), NATIVE);
        vm.assertEq(address(destination).balance, 30);
        vm.assertEq(destination.calls(), 3);
        vm.assertEq(destination.successes(), 3);
    }

    function test_coins_forced_into_a_wallet_are_swept() external {
        for (uint256 round = 1; round <= 2; ++round) {
            vm.deal(address(this), 5);
            new ForcedPayment{value: 5}(payable(_wallet(1)));
            vm.assertEq(_sweep(1, NATIVE), 1);
            vm.assertEq(DESTINATION.balance, 5 * round);
        }
    }

    function test_a_stranger_who_deploys_a_wallet_first_changes_nothing() external {
        _send(_wallet(1), 1);
        vm.assertEq(_sweep(1, NATIVE), 1);
        token.mint(_wallet(1), 10);
        vm.assertEq(_sweep(2, address(token)), 1);
        vm.assertEq(token.balanceOf(DESTINATION), 10);
    }

    function test_a_sweep_after_another_of_the_same_wallets_moves_nothing_and_succeeds() external {
        token.mint(_wallet(1), 10);
        vm.assertEq(_sweep(1, address(token)), 1);
        vm.assertEq(_sweep(1, address(token)), 0);
    }
}
