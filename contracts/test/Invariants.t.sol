// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Factory} from "../src/Factory.sol";
import {Wallet} from "../src/Wallet.sol";
import {CallingDestination} from "./Destinations.sol";
import {FactoryTest} from "./FactoryTest.sol";
import {Vm} from "./Vm.sol";
import {FalseToken} from "./tokens/FalseToken.sol";
import {ReentrantToken} from "./tokens/ReentrantToken.sol";
import {Stablecoin} from "./tokens/Stablecoin.sol";

interface Token {
    function balanceOf(address account) external view returns (uint256);
    function mint(address to, uint256 amount) external;
}

/// @notice What anyone may do with wallets of two destinations, in any order.
contract Actions {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    Factory public immutable FACTORY;
    Stablecoin public immutable USDC = new Stablecoin();
    FalseToken public immutable FALSE = new FalseToken();
    ReentrantToken public immutable REENTRANT = new ReentrantToken();
    CallingDestination public immutable CALLING = new CallingDestination();

    uint256 private constant WALLETS = 5;

    /// @notice What was paid to the wallets of a destination, per token.
    mapping(address destination => mapping(address token => uint256)) public paidIn;

    constructor(Factory factory) {
        FACTORY = factory;
    }

    function destination(uint256 choice) public view returns (address) {
        return choice % 2 == 0 ? address(0xD0D0) : address(CALLING);
    }

    function token(uint256 choice) public view returns (address) {
        return [address(0), address(USDC), address(FALSE), address(REENTRANT)][choice % 4];
    }

    function wallet(uint256 to, uint256 salt) public view returns (address) {
        return FACTORY.addressOf(destination(to), bytes32(salt % WALLETS));
    }

    function pay(uint256 to, uint256 salt, uint256 what, uint96 amount) external {
        address asset = token(what);
        address account = wallet(to, salt);
        if (asset != address(0)) {
            bool isBlocked = asset == address(USDC) && (USDC.paused() || USDC.isBlacklisted(account));
            if (isBlocked) return;
            Token(asset).mint(account, amount);
        } else {
            vm.deal(address(this), amount);
            (bool success,) = account.call{value: amount}("");
            vm.assertTrue(success, "a wallet takes coins");
        }
        paidIn[destination(to)][asset] += amount;
    }

    function sweep(address caller, uint256 to, uint256 what, uint8[4] calldata chosen) external {
        bytes32[] memory salts = new bytes32[](chosen.length);
        for (uint256 i = 0; i < salts.length; ++i) {
            salts[i] = bytes32(chosen[i] % WALLETS);
        }
        vm.prank(caller);
        FACTORY.sweep(destination(to), salts, token(what));
    }

    function block_wallet(uint256 to, uint256 salt, bool isBlocked) external {
        USDC.setBlacklisted(wallet(to, salt), isBlocked);
        FALSE.setRefused(wallet(to, salt), isBlocked);
    }

    function pause(bool isPaused) external {
        USDC.setPaused(isPaused);
    }

    function arm(uint256 to, uint256 what, uint256 salt, bool callsBefore) external {
        bytes32[] memory salts = new bytes32[](2);
        salts[0] = bytes32(salt % WALLETS);
        bytes memory call = abi.encodeCall(Factory.sweep, (destination(to), salts, token(what)));
        REENTRANT.setCall(address(FACTORY), call, callsBefore);
        CALLING.setCall(address(FACTORY), call);
    }

    function attack(address attacker, uint256 to, uint256 salt, uint256 what) external {
        address asset = token(what);
        address account = wallet(to, salt);
        uint256 balance = asset == address(0) ? account.balance : Token(asset).balanceOf(account);
        _callAs(attacker, account, abi.encodeCall(Wallet.pay, (asset, attacker, balance)));
        _callAs(attacker, FACTORY.WALLET(), abi.encodeCall(Wallet.pay, (asset, attacker, balance)));
    }

    function attack_with(address attacker, uint256 to, uint256 salt, bytes calldata data) external {
        _callAs(attacker, wallet(to, salt), data);
    }

    function _callAs(address caller, address target, bytes memory data) private {
        vm.prank(caller);
        (bool success,) = target.call(data);
        success;
    }
}

/// @notice Whatever happens, money is in the wallet it was paid to or at the wallet's destination.
contract InvariantsTest is FactoryTest {
    Actions private actions;

    function setUp() public override {
        super.setUp();
        actions = new Actions(factory);
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(actions);
    }

    function _balance(address account, address token) private view returns (uint256) {
        return token == NATIVE ? account.balance : Token(token).balanceOf(account);
    }

    function invariant_money_is_in_its_wallet_or_at_its_destination() external view {
        for (uint256 to = 0; to < 2; ++to) {
            address destination = actions.destination(to);
            for (uint256 what = 0; what < 4; ++what) {
                address token = actions.token(what);
                uint256 found = _balance(destination, token);
                for (uint256 salt = 0; salt < 5; ++salt) {
                    found += _balance(actions.wallet(to, salt), token);
                }
                vm.assertEq(found, actions.paidIn(destination, token));
            }
        }
    }

    function invariant_nothing_stays_with_factory_or_implementation() external view {
        for (uint256 what = 0; what < 4; ++what) {
            vm.assertEq(_balance(address(factory), actions.token(what)), 0);
            vm.assertEq(_balance(factory.WALLET(), actions.token(what)), 0);
        }
    }

    function invariant_wallets_have_the_code_of_the_proxy_or_none() external view {
        for (uint256 to = 0; to < 2; ++to) {
            for (uint256 salt = 0; salt < 5; ++salt) {
                uint256 length = actions.wallet(to, salt).code.length;
                vm.assertTrue(length == 0 || length == 39);
            }
        }
    }
}
